// SPDX-License-Identifier: Apache-2.0
#include "tests/suites/04_occupancy/block_size_answers.h"

#include <algorithm>
#include <bit>

#include "grader/device/occupancy.h"
#include "tests/suites/04_occupancy/messages.h"
#include "tests/suites/04_occupancy/occupancy_answers.h"
#include "tests/suites/04_occupancy/sm_limits.h"

namespace warplings::pick_block_size {
namespace {

int Blocks(const Question& q, int threads) {
  const int bytes = q.shared_bytes + threads * q.shared_bytes_per_thread;
  // cuda_occupancy.h cannot be told of other portions; the contract's rules are asked then.
  if (q.portions) {
    const auto& arithmetic = occupancy_exercise::Arithmetic();
    return arithmetic.answer({q.card, {threads, q.registers, bytes}, q.portions}, arithmetic.Right()).blocks;
  }
  return static_cast<int>(
      BlocksPerMultiprocessor(q.card, {.threads = static_cast<std::uint32_t>(threads),
                                       .registers = static_cast<std::uint32_t>(q.registers),
                                       .static_shared_bytes = static_cast<std::uint32_t>(bytes)}));
}

int Warps(const Question& q, int threads) {
  return Blocks(q, threads) * (threads / 32);
}

using occupancy_exercise::ArithmeticStep;
using step_search::Versions;

// The steps behind those of occupancy.h, and their versions; 0 is the right one.
enum Step { kMemory = occupancy_exercise::kQuotient, kSizes, kCompared, kEquals, kNoneFits, kSteps };
enum Memory {
  kGrows,
  kOfThreadLeftOut,
  kOfBlockLeftOut,
  kByWarp,
  kOfOneThread,
  kOfBlockForEach,
  kOfSizeBefore,
  kRoundedEach,
  kOfBlockAloneRefused,
  kOnlyBesideBlock
};
enum Sizes {
  kAll,
  kPowersOfTwo,
  kLargestLeftOut,
  kUntilFull,
  kFrom64,
  kEvery64,
  kUpTo512,
  kEvery128,
  kUntilWorse,
  kDivisors,
  kDownUntilWorse,
  kHalves,
  kDownFromMost,
  // Halves of a largest size such as 992 need not be whole warps: `threads / 32` of 496 is 15, rounded up 16.
  kHalvesOfWholeWarps,
  kHalvesRoundedUp
};
enum Compared { kWarps, kBlocks, kBlocksAndSmallest, kLargest, kWholeOccupancy, kWarpsInNoBlocks };
enum NoneFits { kZero, kMostThreads, kLeastThreads, kMinusOne };

/// The arithmetic of blocks has misconceptions of its own in the other exercise; here it is one step of
/// several.
std::vector<step_search::Step> StepsOfBlocks() {
  std::vector<step_search::Step> steps(occupancy_exercise::Arithmetic().steps.begin(),
                                       occupancy_exercise::Arithmetic().steps.begin() + kMemory);
  for (step_search::Step& step : steps) {
    for (step_search::WrongStep& each : step) each.id = "another_step";
  }
  steps[occupancy_exercise::kRegisterFile][occupancy_exercise::kRegistersLeftOut - 1].id =
      "registers_forgotten";
  // Which of the two is meant makes no difference here, and both need the same repair.
  for (const int version : {occupancy_exercise::kRegistersOfThreads, occupancy_exercise::kRegistersOfBlockUp})
    steps[occupancy_exercise::kRegisterFile][static_cast<std::size_t>(version) - 1].words =
        say::step_registers_by_blocks();
  // Of a limit that is not compared with a block's bytes, or only with some of them, the repair is the same.
  steps[occupancy_exercise::kSharedMemory][occupancy_exercise::kNoMostOfBlock - 1].words =
      say::step_memory_not_limited();
  // Sizes are whole warps here, and none is larger than a block may be.
  steps[occupancy_exercise::kWarpsOfBlock].clear();
  step_search::Step& slots = steps[occupancy_exercise::kThreadSlots];
  slots = {slots[occupancy_exercise::kThreadSlotsLeftOut - 1]};
  return steps;
}

std::vector<step_search::Step> AllSteps() {
  std::vector<step_search::Step> steps = StepsOfBlocks();
  steps.push_back({{"memory_of_a_thread_forgotten", say::step_memory_of_threads_left_out()},
                   {"another_step", say::step_memory_of_block_left_out()},
                   {"another_step", say::step_memory_by_warp()},
                   {"memory_of_a_thread_forgotten", say::step_memory_of_one_thread()},
                   {"another_step", say::step_memory_of_block_for_each()},
                   {"another_step", say::step_memory_of_size_before()},
                   {"another_step", say::step_memory_rounded_each()},
                   {"another_step", say::step_memory_not_limited()},
                   {"another_step", say::step_memory_only_beside_blocks()}});
  steps.push_back({{"powers_of_two_only", say::step_powers_of_two()},
                   {"largest_size_left_out", say::step_largest_left_out()},
                   {"another_step", say::step_until_full()},
                   {"another_step", say::step_sizes_from_64()},
                   {"another_step", say::step_multiples_of(64)},
                   {"another_step", say::step_sizes_up_to(512)},
                   {"another_step", say::step_multiples_of(128)},
                   {"another_step", say::step_until_worse()},
                   {"another_step", say::step_divisors()},
                   {"another_step", say::step_down_until_worse()},
                   {"another_step", say::step_halves()},
                   {"another_step", say::step_down_from_most()},
                   {"another_step", say::step_halves()},
                   {"another_step", say::step_halves()}});
  steps.push_back({{"most_blocks", say::step_blocks_compared()},
                   {"most_blocks", say::step_blocks_and_smallest()},
                   {"largest_block", say::step_any_size()},
                   {"another_step", say::step_whole_occupancy()},
                   {"another_step", say::step_warps_in_no_blocks()}});
  steps.push_back({{"smallest_of_the_best", say::step_smallest_of_equals()}});
  steps.push_back({{"a_size_though_none_fits", say::step_largest_for_none()},
                   {"a_size_though_none_fits", say::step_32_for_none()},
                   {"another_step", say::step_minus_one_for_none()}});
  return steps;
}

/// What a block asks for where its own bytes, with the driver's, and those of its threads are rounded up
/// apart. The SM has what a block may ask for and the reserved bytes: who takes more than both has no room.
int RoundedEach(const Question& q, int threads) {
  const SmLimits sm = LimitsOf<SmLimits>(q.card, q.portions);
  const int unit = sm.shared_unit, reserved = sm.reserved_shared_bytes;
  const auto round_up = [unit](int bytes) { return (bytes + unit - 1) / unit * unit; };
  const int of_threads = threads * q.shared_bytes_per_thread;
  return round_up(q.shared_bytes + reserved) - reserved + round_up(of_threads);
}

int SharedBytes(const Question& q, int threads, int version) {
  switch (version) {
    case kOfThreadLeftOut: return q.shared_bytes;
    case kOfBlockLeftOut: return threads * q.shared_bytes_per_thread;
    case kByWarp: return q.shared_bytes + threads / 32 * q.shared_bytes_per_thread;
    case kOfOneThread: return q.shared_bytes + q.shared_bytes_per_thread;
    case kOfSizeBefore: return q.shared_bytes + (threads - 32) * q.shared_bytes_per_thread;
    case kRoundedEach: return RoundedEach(q, threads);
    case kOfBlockForEach: return threads * (q.shared_bytes + q.shared_bytes_per_thread);
    // A block that may not have so much is refused all the same.
    case kOnlyBesideBlock: {
      const int all = q.shared_bytes + threads * q.shared_bytes_per_thread;
      const auto most = static_cast<int>(q.card.shared_bytes_per_block_optin);
      return q.shared_bytes > 0 || all > most ? all : 0;
    }
    default: return q.shared_bytes + threads * q.shared_bytes_per_thread;
  }
}

bool IsTried(int threads, int most, int slots, int version) {
  switch (version) {
    case kPowersOfTwo: return (threads & (threads - 1)) == 0;
    case kLargestLeftOut: return threads < most;
    case kFrom64: return threads >= 64;
    case kEvery64: return threads % 64 == 0;
    case kUpTo512: return threads <= 512;
    case kEvery128: return threads % 128 == 0;
    case kDivisors: return slots % threads == 0;
    case kHalves: {
      const int largest = most / 32 * 32;
      return largest % threads == 0 && std::has_single_bit(static_cast<unsigned>(largest / threads));
    }
    default: return true;
  }
}

int ValueOf(int blocks, int threads, int most_threads, int version) {
  switch (version) {
    case kBlocks: return blocks;
    case kBlocksAndSmallest: return blocks == 0 ? 0 : blocks * 1024 - threads / 32;
    case kLargest: return blocks > 0 ? 1 : 0;
    case kWholeOccupancy: return blocks == 0 ? 0 : 1 + blocks * threads / most_threads;
    default: return blocks * ((threads + 31) / 32);
  }
}

/// Warps that thread slots and registers have room for, whatever their block is. `of_blocks` are the other
/// limits.
int WarpsInNoBlocks(const Question& q, const KernelUse& use, Versions of_blocks) {
  const SmLimits sm = LimitsOf<SmLimits>(q.card, q.portions);
  of_blocks[occupancy_exercise::kThreadSlots] = occupancy_exercise::kThreadSlotsLeftOut;
  of_blocks[occupancy_exercise::kRegisterFile] = occupancy_exercise::kRegistersLeftOut;
  const int warps = use.threads_per_block / 32;
  const int unit = sm.register_unit, of_warp = (32 * use.registers + unit - 1) / unit * unit;
  const int with_registers = of_warp == 0 ? sm.max_threads / 32 : 4 * (sm.registers / 4 / of_warp);
  return std::min({sm.max_threads / 32, with_registers,
                   warps * occupancy_exercise::BlocksBy({q.card, use, q.portions}, of_blocks)});
}

int BlockSizeBy(const Question& q, const Versions& v) {
  const int most = q.card.max_threads_per_block, slots = q.card.max_threads_per_multiprocessor;
  Versions of_blocks = occupancy_exercise::Arithmetic().Right();
  std::copy(v.begin(), v.begin() + kMemory, of_blocks.begin());
  if (v[occupancy_exercise::kThreadSlots] != 0)
    of_blocks[occupancy_exercise::kThreadSlots] = occupancy_exercise::kThreadSlotsLeftOut;
  // Who asks after the block's own bytes alone has no limit on what its threads add.
  const auto most_bytes = static_cast<int>(q.card.shared_bytes_per_block_optin);
  if (v[kMemory] == kOfBlockAloneRefused && q.shared_bytes <= most_bytes)
    of_blocks[occupancy_exercise::kSharedMemory] = occupancy_exercise::kNoMostOfBlock;
  const auto value_of = [&](int size) {
    const int threads = v[kSizes] == kHalvesOfWholeWarps ? size / 32 * 32 : size;
    const KernelUse use = {threads, q.registers, SharedBytes(q, size, v[kMemory])};
    if (v[kCompared] == kWarpsInNoBlocks) return WarpsInNoBlocks(q, use, of_blocks);
    return ValueOf(occupancy_exercise::BlocksBy({q.card, use, q.portions}, of_blocks), threads, slots,
                   v[kCompared]);
  };
  int best = 0, highest = 0;
  if (v[kSizes] == kDownUntilWorse) {
    for (int threads = most / 32 * 32; threads >= 32 && value_of(threads) >= highest; threads -= 32) {
      const int value = value_of(threads);
      if (value > highest || (value == highest && value > 0 && v[kEquals] != 0))
        best = threads, highest = value;
    }
  } else if (v[kSizes] == kHalvesOfWholeWarps || v[kSizes] == kHalvesRoundedUp) {
    for (int threads = most / 32 * 32; threads >= 32; threads /= 2) {
      const int value = value_of(threads);
      if (value > highest || (value == highest && value > 0 && v[kEquals] != 0))
        best = threads, highest = value;
    }
  } else {
    const int first = v[kSizes] == kDownFromMost && most % 32 != 0 ? most % 32 : 32;
    for (int threads = first; threads <= most; threads += 32) {
      if (!IsTried(threads, most, slots, v[kSizes])) continue;
      if (v[kSizes] == kUntilFull && v[kCompared] == kWarps && highest >= slots / 32) break;
      const int value = value_of(threads);
      if (v[kSizes] == kUntilWorse && value < highest) break;
      if (value > highest || (value == highest && value > 0 && v[kEquals] == 0))
        best = threads, highest = value;
    }
  }
  if (best > 0) return best;
  switch (v[kNoneFits]) {
    case kMostThreads: return most;
    case kLeastThreads: return 32;
    case kMinusOne: return -1;
    default: return 0;
  }
}

std::vector<step_search::Trait<Question>> TraitsOfKernels() {
  return {{say::for_kernels_that_do_not_fit(), [](const Question& q) { return BestBlockSize(q) == 0; }},
          {say::for_kernels_with_memory_a_thread(),
           [](const Question& q) { return q.shared_bytes_per_thread > 0; }},
          {say::for_kernels_with_memory_a_block(), [](const Question& q) { return q.shared_bytes > 0; }},
          {say::for_kernels_without_shared(),
           [](const Question& q) { return q.shared_bytes_per_thread == 0 && q.shared_bytes == 0; }},
          {say::where_right_is_no_power(),
           [](const Question& q) { return (BestBlockSize(q) & (BestBlockSize(q) - 1)) != 0; }},
          {say::for_kernels_with_registers(), [](const Question& q) { return q.registers > 32; }},
          {say::on_card_with_portions(), [](const Question& q) { return q.portions.has_value(); }},
          {say::on_cards_with_fewer_slots(2048),
           [](const Question& q) { return q.card.max_threads_per_multiprocessor < 2048; }}};
}

}  // namespace

int BestBlockSize(const Question& q) {
  int best = 0, most = 0;
  for (int threads = 32; threads <= q.card.max_threads_per_block; threads += 32) {
    const int warps = Warps(q, threads);
    if (warps > 0 && warps >= most) best = threads, most = warps;
  }
  return best;
}

const step_search::Calculation<Question, int>& BlockSize() {
  static const step_search::Calculation<Question, int> calculation = {AllSteps(), BlockSizeBy};
  return calculation;
}

Message InWords(const Question& q) {
  const int own = q.shared_bytes, per_thread = q.shared_bytes_per_thread;
  const Message shared = own == 0 && per_thread == 0 ? say::block_size_no_shared()
                         : per_thread == 0           ? say::block_size_of_block(own)
                         : own == 0                  ? say::block_size_of_threads(per_thread)
                                                     : say::block_size_of_both(own, per_thread);
  // Its name does not tell what a block may have, which decides here.
  const Message card = q.card.id == MadeUpCard().id
                           ? say::card_with_most_shared(q.card.shared_bytes_per_block_optin / 1024)
                           : CardInWords(q.card, q.portions);
  return say::block_size_question(card, q.registers, shared);
}

Message InWords(const Question& q, int threads) {
  if (threads == 0) return say::block_size_none_fits();
  if (threads < 0 || threads > q.card.max_threads_per_block || threads % 32 != 0)
    return say::block_size_no_such(threads);
  return say::block_size_answer(threads, say::Count(Blocks(q, threads), "block"),
                                say::Count(Warps(q, threads), "warp"));
}

std::vector<Question> QuestionsFor(const DeviceProfile& card) {
  std::vector<Question> questions;
  for (const int registers : {16, 32, 33, 40, 50, 64, 72, 96, 168}) {
    questions.push_back({card, registers, 0, 0});
    questions.push_back({card, registers, 0, 8});
    questions.push_back({card, registers, 1024, 48});
  }
  questions.push_back({card, 32, 20'000, 0});
  questions.push_back({card, 24, 9000, 100});
  // Shared memory is what limits: its rounding and what the driver takes of it show.
  for (const auto& [bytes, per_thread] : {std::pair{0, 82},
                                          {0, 128},
                                          {3000, 0},
                                          {5000, 0},
                                          {16'000, 0},
                                          {33'000, 0},
                                          {0, 61},
                                          {700, 90},
                                          {1900, 33},
                                          {127, 64},
                                          // A block more fits if both parts are rounded up together.
                                          {1600, 111},
                                          {7200, 79},
                                          {6700, 131}}) {
    questions.push_back({card, 24, bytes, per_thread});
  }
  return questions;
}

std::vector<Question> QuestionsOfLimits() {
  const DeviceProfile made_up = MadeUpCard();
  DeviceProfile two_blocks = MadeUpCard();
  two_blocks.id = kMadeUpForTwoBlocks;
  two_blocks.max_blocks_per_multiprocessor = 2;
  DeviceProfile thousand = *FindDeviceProfile("a100");
  thousand.id = kMadeUpForThousand;
  thousand.max_threads_per_block = 1000;
  return {
      // A block may have 64 KB of this SM's 100: by what it asks for whatever its size, and by its threads.
      {made_up, 32, 60'000, 10},
      {made_up, 32, 40'000, 48},
      {made_up, 32, 30'000, 64},
      {made_up, 32, 65'537, 0},
      {made_up, 32, 65'536, 0},
      {made_up, 32, 0, 2048},
      {made_up, 32, 0, 2049},
      // 39 warps find room, as three blocks of 13 and not as two.
      {two_blocks, 24, 0, 79},
      {two_blocks, 40, 0, 48},
      {two_blocks, 24, 20'000, 20},
      // A size is a multiple of 32, and 1000 is none.
      {thousand, 32, 0, 0},
      {thousand, 64, 0, 0},
      {thousand, 24, 30'000, 0},
      {thousand, 24, 40'000, 16}};
}

std::vector<Question> QuestionsOfPortions() {
  std::vector<Question> questions;
  for (int registers = 17; registers < 180; registers += 9)
    questions.push_back({CardOfOtherPortions(), registers, 0, 0, kMadeUpPortions});
  // Where shared memory limits: so much that a portion more is a block less.
  for (int bytes = 100; bytes < 20'000; bytes = bytes + bytes / 3 + 400) {
    for (const int per_thread : {0, 40, 70})
      questions.push_back({CardOfOtherPortions(), 24, bytes, per_thread, kMadeUpPortions});
  }
  return questions;
}

std::vector<Question> ExtremeQuestions() {
  const DeviceProfile& t4 = *FindDeviceProfile("t4");
  return {
      {t4, 32, 65'537, 0}, {t4, 32, 65'536, 0}, {t4, 32, 60'000, 256}, {t4, 32, 0, 2048}, {t4, 32, 0, 2049}};
}

Message Advise(const std::vector<Asked<Question, int>>& all) {
  const Message shared =
      step_search::WhatWrongOnesShare(TraitsOfKernels(), Given(all), BestBlockSize, std::equal_to<>(),
                                      AskingsOf(all, [](const Question& q) { return InWords(q); }));
  if (!shared.empty()) return shared;
  for (const Asked<Question, int>& each : all) {
    const int right = BestBlockSize(each.question), most = each.question.card.max_threads_per_block;
    if (!each.answer || *each.answer == right || right == 0) continue;
    const Message question = InWords(each.question);
    if (*each.answer > most) return say::block_size_too_large(question, *each.answer, most);
    const Message given = InWords(each.question, *each.answer), wanted = InWords(each.question, right);
    const bool is_a_size = *each.answer > 0 && *each.answer % 32 == 0;
    if (is_a_size && *each.answer < right &&
        Warps(each.question, *each.answer) == Warps(each.question, right)) {
      const bool is_tried =
          std::ranges::any_of(all, [&](const auto& other) { return other.answer == right; });
      if (!is_tried) return say::block_size_as_good_not_tried(question, given, wanted, right);
      return say::block_size_as_good(question, given, wanted);
    }
    if (!is_a_size) return say::block_size_numbers_of_right(question, given, wanted, right);
    const auto blocks = [&](int threads) { return say::Count(Blocks(each.question, threads), "block"); };
    const auto warps = [&](int threads) { return say::Count(Warps(each.question, threads), "warp"); };
    return say::block_size_numbers_of_both(question, *each.answer, blocks(*each.answer), warps(*each.answer),
                                           right, blocks(right), warps(right));
  }
  for (const auto& [question, answer] : Given(all)) {
    if (answer != BestBlockSize(question))
      return say::block_size_though_none_fits(InWords(question), InWords(question, answer));
  }
  return {};
}

std::vector<Fact> FactsOf(const std::vector<Asked<Question, int>>& all) {
  return step_search::Name(step_search::Explain(BlockSize(), Given(all), std::equal_to<>()),
                           say::occupancy_answers(),
                           AskingsOf(all, [](const Question& q) { return InWords(q); }));
}

}  // namespace warplings::pick_block_size
