// SPDX-License-Identifier: Apache-2.0
#include "tests/chapters/04_occupancy/block_size_answers.h"

#include <algorithm>
#include <bit>

#include "grader/device/occupancy.h"
#include "tests/chapters/04_occupancy/occupancy_answers.h"
#include "tests/chapters/04_occupancy/sm_limits.h"

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
  kOfBlockAloneRefused
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
  kDownFromMost
};
enum Compared { kWarps, kBlocks, kBlocksAndSmallest, kLargest, kWholeOccupancy };
enum NoneFits { kZero, kMostThreads, kLeastThreads, kMinusOne };

/// The arithmetic of blocks has misconceptions of its own in the other exercise; here it is one step of
/// several.
std::vector<step_search::Step> StepsOfBlocks() {
  std::vector<step_search::Step> steps(occupancy_exercise::Arithmetic().steps.begin(),
                                       occupancy_exercise::Arithmetic().steps.begin() + kMemory);
  for (step_search::Step& step : steps) {
    for (step_search::WrongStep& each : step) {
      each.id = each.words == "the registers left out" ? "registers_forgotten" : "another_step";
    }
  }
  // Sizes are whole warps here, and none is larger than a block may be.
  steps[occupancy_exercise::kWarpsOfBlock].clear();
  step_search::Step& slots = steps[occupancy_exercise::kThreadSlots];
  std::erase_if(slots,
                [](const step_search::WrongStep& each) { return each.words != "the thread slots left out"; });
  return steps;
}

std::vector<step_search::Step> AllSteps() {
  std::vector<step_search::Step> steps = StepsOfBlocks();
  steps.push_back(
      {{"memory_of_a_thread_forgotten", "the shared memory of each thread left out"},
       {"another_step", "the shared memory of the block itself left out"},
       {"another_step", "the shared memory of a thread counted once for each warp"},
       {"memory_of_a_thread_forgotten", "the shared memory of one thread added, and not of all"},
       {"another_step", "the shared memory of the block counted for each thread, too"},
       {"another_step", "each size asked with the shared memory of the size before"},
       {"another_step", "the block's bytes and its threads' bytes rounded up each for itself"},
       {"another_step",
        "what one block may ask for compared with the block's own bytes alone, without its threads'"}});
  steps.push_back(
      {{"powers_of_two_only", "powers of two only"},
       {"largest_size_left_out", "the largest size left out"},
       {"another_step", "a search that ends at the first size that fills the SM"},
       {"another_step", "32 threads never chosen (sizes from 64 on, or a best so far that begins too high)"},
       {"another_step", "multiples of 64 only"},
       {"another_step", "sizes up to 512"},
       {"another_step", "multiples of 128 only"},
       {"another_step", "a search that ends where a size is worse than one before"},
       {"another_step", "only sizes that divide the SM's thread slots"},
       {"another_step", "a search from the largest size down that ends at the first worse one"},
       {"another_step", "only the largest size and what halving it gives"},
       {"another_step",
        "the sizes counted down from max_threads_per_block itself, also where it is no multiple of 32"}});
  steps.push_back({{"most_blocks", "blocks compared, and not warps"},
                   {"most_blocks", "blocks compared, and of equals the smallest"},
                   {"largest_block", "any size that can be launched as good as any other"},
                   {"another_step", "a quotient of two ints compared, which is 0 or 1"}});
  steps.push_back({{"smallest_of_the_best", "the smallest of equally good sizes"}});
  steps.push_back({{"a_size_though_none_fits", "the largest size where none can be launched"},
                   {"a_size_though_none_fits", "32 where none can be launched"},
                   {"another_step", "-1 where none can be launched"}});
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
  const auto value_of = [&](int threads) {
    const KernelUse use = {threads, q.registers, SharedBytes(q, threads, v[kMemory])};
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
  return {{"for kernels of which no block fits", [](const Question& q) { return BestBlockSize(q) == 0; }},
          {"for kernels whose threads need shared memory of their own",
           [](const Question& q) { return q.shared_bytes_per_thread > 0; }},
          {"for kernels whose blocks need shared memory whatever their size",
           [](const Question& q) { return q.shared_bytes > 0; }},
          {"for kernels without shared memory",
           [](const Question& q) { return q.shared_bytes_per_thread == 0 && q.shared_bytes == 0; }},
          {"where the largest size is the right one",
           [](const Question& q) { return BestBlockSize(q) == q.card.max_threads_per_block; }},
          {"where a size below the largest is the right one",
           [](const Question& q) { return BestBlockSize(q) < q.card.max_threads_per_block; }},
          {"where the right size is no power of two",
           [](const Question& q) { return (BestBlockSize(q) & (BestBlockSize(q) - 1)) != 0; }},
          {"for kernels with more than 32 registers a thread",
           [](const Question& q) { return q.registers > 32; }},
          {"on a card with portions of its own", [](const Question& q) { return q.portions.has_value(); }},
          {"on cards with less than 2048 thread slots",
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

std::string InWords(const Question& q) {
  return q.card.id + ", " + std::to_string(q.registers) + " registers, " + std::to_string(q.shared_bytes) +
         " B + " + std::to_string(q.shared_bytes_per_thread) + " B a thread";
}

std::string InWords(const Question& q, int threads) {
  if (threads == 0) return "0: none fits";
  const std::string size = std::to_string(threads);
  if (threads < 0 || threads > q.card.max_threads_per_block || threads % 32 != 0)
    return size + ": no such size";
  return size + ": " + std::to_string(Blocks(q, threads)) + " blocks, " + std::to_string(Warps(q, threads)) +
         " warps";
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
  two_blocks.id = "a made-up card for two blocks";
  two_blocks.max_blocks_per_multiprocessor = 2;
  DeviceProfile thousand = *FindDeviceProfile("a100");
  thousand.id = "a made-up card for blocks of 1000 threads";
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

std::string Advise(const std::vector<Asked<Question, int>>& all) {
  const std::string shared =
      step_search::WhatWrongOnesShare(TraitsOfKernels(), Given(all), BestBlockSize, std::equal_to<>(),
                                      AskingsOf(all, [](const Question& q) { return InWords(q); }));
  if (!shared.empty()) return shared;
  for (const Asked<Question, int>& each : all) {
    const int right = BestBlockSize(each.question), most = each.question.card.max_threads_per_block;
    if (!each.answer || *each.answer == right || right == 0) continue;
    const std::string given = "With " + InWords(each.question) + ", the answer is ";
    if (*each.answer > most) {
      return given + std::to_string(*each.answer) + ", and max_threads_per_block is " + std::to_string(most) +
             ". How does your program come to that answer?";
    }
    if (*each.answer <= 0 || *each.answer % 32 != 0) {
      return given + InWords(each.question, *each.answer) + ". Right is " + InWords(each.question, right) +
             ". Which numbers does your program have for " + std::to_string(right) + " threads?";
    }
    return given + InWords(each.question, *each.answer) + ". Right is " + InWords(each.question, right) +
           ". Which numbers does your program have for these two sizes?";
  }
  for (const auto& [question, answer] : Given(all)) {
    if (answer == BestBlockSize(question)) continue;
    return "With " + InWords(question) + ", the answer is " + InWords(question, answer) +
           ". Right is 0: none fits. How does your program come to that answer?";
  }
  return "";
}

std::vector<Recognised> Recognise(const std::vector<Asked<Question, int>>& all) {
  return step_search::Name(step_search::Explain(BlockSize(), Given(all), std::equal_to<>()), "answers",
                           AskingsOf(all, [](const Question& q) { return InWords(q); }));
}

}  // namespace warplings::pick_block_size
