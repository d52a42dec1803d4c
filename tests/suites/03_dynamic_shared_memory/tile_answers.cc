// SPDX-License-Identifier: Apache-2.0
#include "tests/suites/03_dynamic_shared_memory/tile_answers.h"

#include <algorithm>
#include <cmath>

#include "tests/suites/03_dynamic_shared_memory/messages.h"

namespace warplings::tile_for_device {
namespace {

using step_search::Versions;

// Steps and their versions; 0 is the right one.
enum Step { kAvailable, kElement, kArrays, kElements, kProduct, kFits, kWidths, kNone, kGaps };
enum Available {
  kOptIn,
  kWithoutOptIn,
  kMultiprocessor,
  kReserveOff,
  kKilobyteOff,
  kDeviceZero,
  kMultiprocessorLessKilobyte,
  kOneCard
};
enum Element { kOfType, kLeftOut, kFourAtLeast, kSquared };
enum Elements { kSquare, kRow, kLongRow, kPadded };
enum Product { kWide, kInt, kUnsigned };
enum Fits { kAtMost, kLessThan, kByKilobytes };
enum Widths {
  kMultiples,
  kEveryWidth,
  kUpTo32,
  kDoubled,
  kToNext,
  kFirstTooWide,
  kOneStepLess,
  kUpTo8Steps,
  kUpTo4Steps,
  kStepsUpTo32,
  kNearestRoot,
  kMasked,
  kDownFromMost
};
enum None { kZero, kOneStep, kMinusOne };
enum Gaps { kNoGaps, kOf128, kOf16, kOf256, kOf1024 };

/// A step is at most this.
constexpr int kMostWidth = 1024;

/// What one block may have on the cards that there are, each number once.
const std::vector<std::uint64_t>& OptInsOfCards() {
  static const std::vector<std::uint64_t> all = [] {
    std::vector<std::uint64_t> bytes;
    for (const DeviceProfile& card : DeviceProfiles()) bytes.push_back(card.shared_bytes_per_block_optin);
    std::ranges::sort(bytes);
    bytes.erase(std::unique(bytes.begin(), bytes.end()), bytes.end());
    return bytes;
  }();
  return all;
}

std::vector<step_search::Step> AllSteps() {
  step_search::Step available = {
      {"without_opt_in", say::tile_without_opt_in()}, {"whole_multiprocessor", say::tile_of_multiprocessor()},
      {"reserve_taken_off", say::tile_reserve_off()}, {"reserve_taken_off", say::tile_kilobyte_off()},
      {"another_step", say::tile_of_device_zero()},   {"another_step", say::tile_of_multiprocessor_less()}};
  for (const std::uint64_t bytes : OptInsOfCards()) {
    available.push_back({"one_card_for_all", say::tile_of_one_card(bytes)});
  }
  return {available,
          {{"elements_are_bytes", say::tile_element_left_out()},
           {"another_step", say::tile_four_bytes_at_least()},
           {"another_step", say::tile_element_squared()}},
          {{"one_array_counted", say::tile_one_for_all()}},
          {{"square_forgotten", say::tile_one_row()},
           {"square_forgotten", say::tile_one_long_row(kMostWidth)},
           {"another_step", say::tile_padded()}},
          {{"another_step", say::tile_product_in_int()}, {"another_step", say::tile_product_in_unsigned()}},
          {{"another_step", say::tile_just_fitting_refused()}, {"another_step", say::tile_in_kilobytes()}},
          {{"step_ignored", say::tile_any_width()},
           {"one_thread_an_element", say::tile_up_to_32()},
           {"another_step", say::tile_doubled()},
           {"another_step", say::tile_rounded_up()},
           {"another_step", say::tile_first_too_wide()},
           {"another_step", say::tile_one_step_less()},
           {"another_step", say::tile_up_to_8_steps()},
           {"another_step", say::tile_up_to_4_steps()},
           {"another_step", say::tile_steps_up_to_32()},
           {"another_step", say::tile_nearest_root()},
           {"another_step", say::tile_masked()},
           {"another_step", say::tile_down_from_most(kMostWidth)}},
          {{"another_step", say::tile_one_step_for_none()}, {"another_step", say::tile_minus_one_for_none()}},
          {{"another_step", say::tile_bytes_rounded_up(128)},
           {"another_step", say::tile_bytes_rounded_up(16)},
           {"another_step", say::tile_bytes_rounded_up(256)},
           {"another_step", say::tile_bytes_rounded_up(1024)}}};
}

std::uint64_t AvailableBytes(const Question& q, int version) {
  const DeviceProfile& card = *q.profile;
  switch (version) {
    case kOptIn: return card.shared_bytes_per_block_optin;
    case kWithoutOptIn: return card.shared_bytes_per_block;
    case kMultiprocessor: return card.shared_bytes_per_multiprocessor;
    case kReserveOff: return card.shared_bytes_per_block_optin - card.reserved_shared_bytes_per_block;
    case kKilobyteOff: return card.shared_bytes_per_block_optin - 1024;
    case kMultiprocessorLessKilobyte: return card.shared_bytes_per_multiprocessor - 1024;
    case kDeviceZero: return (q.device_zero ? *q.device_zero : card).shared_bytes_per_block_optin;
    default: return OptInsOfCards()[static_cast<std::size_t>(version - kOneCard)];
  }
}

/// Bytes of a block's tiles, as the product's type holds them; wrapped around where it does not.
std::int64_t BytesBy(const Question& q, int tile, const Versions& v) {
  std::uint64_t bytes = static_cast<std::uint64_t>(tile);
  if (v[kElements] == kSquare) bytes *= static_cast<std::uint64_t>(tile);
  if (v[kElements] == kPadded) bytes *= static_cast<std::uint64_t>(tile) + 1;
  if (v[kElement] == kOfType) bytes *= static_cast<std::uint64_t>(q.element_bytes);
  if (v[kElement] == kSquared)
    bytes *= static_cast<std::uint64_t>(q.element_bytes) * static_cast<std::uint64_t>(q.element_bytes);
  if (v[kElement] == kFourAtLeast) bytes *= static_cast<std::uint64_t>(std::max(q.element_bytes, 4));
  if (v[kGaps] != kNoGaps) {
    constexpr std::uint64_t kPieces[] = {1, 128, 16, 256, 1024};
    const std::uint64_t piece = kPieces[v[kGaps]];
    bytes = (bytes + piece - 1) / piece * piece;
  }
  if (v[kArrays] == 0) bytes *= static_cast<std::uint64_t>(q.arrays);
  switch (v[kProduct]) {
    case kInt: return static_cast<std::int32_t>(static_cast<std::uint32_t>(bytes));
    case kUnsigned: return static_cast<std::uint32_t>(bytes);
    default: return static_cast<std::int64_t>(bytes);
  }
}

bool Fits(std::int64_t bytes, std::int64_t available, int version) {
  if (version == kLessThan) return bytes < available;
  return version == kByKilobytes ? bytes / 1024 <= available / 1024 : bytes <= available;
}

/// The widest tile that is tried.
int MostTried(const Question& q, int widths) {
  switch (widths) {
    case kUpTo32: return 32;
    case kUpTo8Steps: return std::min(8 * q.step, kMostWidth);
    case kUpTo4Steps: return std::min(4 * q.step, kMostWidth);
    case kStepsUpTo32: return q.step > 32 ? 0 : kMostWidth;
    default: return kMostWidth;
  }
}

int TileBy(const Question& q, const Versions& v) {
  const auto available = static_cast<std::int64_t>(AvailableBytes(q, v[kAvailable]));
  const int widths = v[kWidths];
  const bool each_width = widths == kEveryWidth || widths == kToNext || widths == kMasked;
  int best = 0;
  const int least = widths == kDownFromMost ? q.step + (kMostWidth - q.step) % q.step : q.step;
  for (int tile = each_width ? 1 : least; tile <= MostTried(q, widths);) {
    if (Fits(BytesBy(q, tile, v), available, v[kFits])) best = tile;
    tile += each_width ? 1 : widths == kDoubled ? tile : q.step;
  }
  if (v[kElements] == kLongRow && widths != kUpTo32) {
    best = static_cast<int>(available / BytesBy(q, 1, v));
    if (widths != kEveryWidth) best = best / q.step * q.step;
  }
  if (widths == kNearestRoot) {
    const double elements = static_cast<double>(available) / static_cast<double>(BytesBy(q, 1, v));
    best = static_cast<int>(std::lround(std::sqrt(elements))) / q.step * q.step;
  }
  if (widths == kToNext) best = (best + q.step - 1) / q.step * q.step;
  if (widths == kMasked) best &= ~(q.step - 1);
  if (widths == kFirstTooWide) best += q.step;
  if (widths == kOneStepLess) best = std::max(best - q.step, 0);
  if (best > 0) return best;
  return v[kNone] == kOneStep ? q.step : v[kNone] == kMinusOne ? -1 : 0;
}

}  // namespace

int LargestTile(const Question& q) {
  return TileBy(q, Tile().Right());
}

const step_search::Calculation<Question, int>& Tile() {
  static const step_search::Calculation<Question, int> calculation = {AllSteps(), TileBy};
  return calculation;
}

Message BytesOf(const Question& q, int tile) {
  return say::largest_tile_bytes(q.arrays, q.element_bytes, tile, BytesBy(q, tile, Tile().Right()),
                                 q.profile->shared_bytes_per_block_optin);
}

Message InWords(const Question& q) {
  return say::largest_tile_question(q.profile->id, say::Count(q.arrays, "array"), q.element_bytes, q.step);
}

std::vector<Question> QuestionsFor(const DeviceProfile& profile) {
  std::vector<Question> questions;
  for (const int arrays : {1, 2, 3}) {
    for (const int element_bytes : {1, 2, 4, 8}) {
      for (const int step : {1, 8, 16, 32}) questions.push_back({&profile, arrays, element_bytes, step});
    }
  }
  return questions;
}

std::vector<Question> ExtremeQuestions() {
  const DeviceProfile& t4 = *FindDeviceProfile("t4");
  return {{&t4, 5, 16, 32},      // 80 KB
          {&t4, 4, 16, 32},      // 64 KB, exactly what there is
          {&t4, 1, 65, 32},      // 65 KB
          {&t4, 1000, 64, 256},  // 4,194,304,000 bytes, more than an int holds
          {&t4, 1024, 64, 256},  // 2^32 bytes, more than an unsigned int holds
          {&t4, 1024, 1, 1},     // tiles of 64 bytes
          {&t4, 600, 1, 1},      // of 109 at most
          {&t4, 100, 3, 1},      // of 655 at most
          // More threads than a block may have: the contract says that their number does not limit the width.
          {&t4, 1, 1, 40},
          {&t4, 2, 2, 64},
          {&t4, 1, 4, 100},
          {&t4, 1, 1, 256}};
}

std::vector<Fact> FactsOf(const std::vector<Asked<Question, int>>& all) {
  return step_search::Name(step_search::Explain(Tile(), Given(all), std::equal_to<>()), say::tile_answers());
}

}  // namespace warplings::tile_for_device
