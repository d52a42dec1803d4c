// SPDX-License-Identifier: Apache-2.0
//
// Judges chapter 7's merge_tiles. Each test is one call of the submission's function on fresh inputs; its
// name says what a student may have misunderstood, its title says it in words.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <utility>

#include "grader/suite/device_work.h"
#include "grader/suite/evidence.h"
#include "grader/suite/judge.h"
#include "reference/merge.h"
#include "tests/suites/07_where_it_recurs/graded_calls.h"
#include "tests/suites/07_where_it_recurs/merge_evidence.h"
#include "tests/suites/07_where_it_recurs/messages.h"
#include "tests/suites/07_where_it_recurs/timed_merge.h"

namespace warplings::merge {
namespace {

/// What all tests saw, for FactsOf.
std::vector<Evidence>& AllEvidence() {
  static std::vector<Evidence> all;
  return all;
}

/// Enough for one thread that merges everything alone, at 64 instructions an element.
std::uint64_t Budget(std::size_t length) {
  return 1'000'000 + 64 * length;
}

/// From low to high, in ascending order.
std::vector<int> Sorted(RandomValues& random, std::size_t count, std::int64_t low, std::int64_t high) {
  std::vector<int> values(count);
  for (int& value : values)
    value = static_cast<int>(
        low + static_cast<std::int64_t>(random.Below(static_cast<std::uint64_t>(high - low) + 1)));
  std::ranges::sort(values);
  return values;
}

/// Two arrays and the range of their elements.
struct Input {
  std::vector<int> a, b;
  std::int64_t low, high;
};

/// Both have elements of the same range: as a rule all of them differ.
Input Mixed(RandomValues& random, std::size_t a_length, std::size_t b_length,
            std::int64_t most = 1'000'000'000) {
  return {Sorted(random, a_length, -most, most), Sorted(random, b_length, -most, most), -most, most};
}

class MergeTiles : public testing::Test {
 protected:
  static Evidence Call(const Message& title, Input input, RandomValues& random) {
    const auto a_length = static_cast<int>(input.a.size()), b_length = static_cast<int>(input.b.size());
    // Other elements must be in ascending order, too.
    const auto other = [&](std::size_t count) {
      return OtherElements::These(Sorted(random, count, input.low, input.high));
    };
    const CallReport report = Session().Call(
        {InputArray("a", input.a, other(input.a.size()), {Must<int>::NotFall()}),
         InputArray("b", input.b, other(input.b.size()), {Must<int>::NotFall()}),
         OutputArray<int>("output", input.a.size() + input.b.size())},
        Budget(input.a.size() + input.b.size()), [=](Worker& worker, std::span<const DevicePointer> p) {
          return worker.Call(p[0], a_length, p[1], b_length, p[2]);
        });

    Evidence evidence;
    evidence.test = testing::UnitTest::GetInstance()->current_test_info()->name();
    evidence.result = ResultOf(title, report);
    evidence.a = std::move(input.a);
    evidence.b = std::move(input.b);
    const std::size_t length = evidence.length();
    if (length == 0 && HasFailed(evidence.result) && Returned(evidence.result))
      evidence.result.next_step = StepWithoutLaunch(evidence);
    if (report.contents.size() != 3) return evidence;
    evidence.output = ValuesOf<int>(report.contents[2]);
    AddComparison(evidence.result,
                  CompareInts(evidence.output, reference::Merge(evidence.a, evidence.b),
                              [](std::size_t i) { return "output[" + std::to_string(i) + "]"; }),
                  "output");
    AskByContents(evidence);
    if (length > 0) RequireDeviceWork(evidence.result, report, WorkOf(length));
    if (length < kLongLength) return evidence;
    for (const auto& [limit, grade] : kLimits) {
      Evidence graded = evidence;
      grade(graded);
      BrokenLimits().Note(limit, evidence.result, graded.result,
                          say::merge_call(evidence.a.size(), evidence.b.size()));
    }
    return evidence;
  }

  /// One thread that merges everything needs 6 instructions an element at least. A warp of a block that does
  /// so needs a thread's instructions for each 32nd element, and those of its searches.
  static DeviceWork WorkOf(std::size_t length) {
    DeviceWork work;
    work.output = "output";
    work.least_bytes = length * sizeof(int);
    work.most_of_a_warp = 20'000 + 2 * length;
    return work;
  }

  /// Which elements output has says more than a single wrong one.
  static void AskByContents(Evidence& evidence) {
    TestResult& result = evidence.result;
    if (result.verdict != Verdict::kWrongResult || evidence.output.empty()) return;
    if (Message step = StepWithoutLaunch(evidence); !step.empty()) result.next_step = std::move(step);
    if (!Completed(result)) return;
    const Contents contents = ContentsOf(evidence);
    if (contents.unwritten > 0) return;
    if (!contents.foreign.empty()) {
      result.next_step = say::merge_foreign_step(contents.foreign.front());
    } else if (!contents.repeated.empty() && !contents.missing.empty()) {
      result.next_step = say::merge_repeated_step(contents.repeated.front(), contents.missing.front());
    } else if (const std::size_t i = FirstDescent(evidence.output); i < evidence.output.size()) {
      result.next_step = say::merge_order_step(i, i + 1);
    }
  }

  static void GradeLoads(Evidence& evidence) {
    const std::size_t length = evidence.length();
    const std::uint64_t limit = LimitsOf(length).load_sectors,
                        sectors = SectorsLoaded(TotalCounts(evidence.result)),
                        loaded = Loaded(evidence.result);
    if (sectors <= limit) return;
    AddVerdict(evidence.result, Verdict::kWrongResult, say::merge_load_sectors(sectors, limit),
               !UsesShared(evidence.result) ? say::merge_no_tile_step()
               : loaded > 3 * length        ? say::merge_loaded_again_step(loaded, length)
                                            : say::merge_sectors_step());
  }

  static void GradeStores(Evidence& evidence) {
    const std::uint64_t limit = LimitsOf(evidence.length()).store_sectors,
                        sectors = SectorsStored(TotalCounts(evidence.result));
    if (sectors <= limit) return;
    AddVerdict(evidence.result, Verdict::kWrongResult, say::merge_store_sectors(sectors, limit),
               say::merge_stores_step());
  }

  static void GradeInstructions(Evidence& evidence) {
    const std::size_t length = evidence.length();
    const std::uint64_t limit = LimitsOf(length).instructions;
    const Counts counts = TotalCounts(evidence.result);
    if (counts.warp_instructions > limit) {
      AddVerdict(evidence.result, Verdict::kWrongResult,
                 say::merge_instructions(counts.warp_instructions, limit), say::merge_instructions_step());
    } else if (counts.thread_instructions < length) {
      AddVerdict(evidence.result, Verdict::kWrongResult,
                 say::merge_few_instructions(counts.thread_instructions, length),
                 say::merge_few_instructions_step());
    }
  }

  struct Limit {
    const char* name;
    void (*grade)(Evidence&);
  };
  static constexpr Limit kLoads{"loads", GradeLoads}, kStores{"stores", GradeStores},
      kInstructions{"instructions", GradeInstructions};
  static constexpr Limit kLimits[] = {kLoads, kStores, kInstructions};

  static void Check(const Message& title, std::size_t a_length, std::size_t b_length) {
    RandomValues random = TestRandom();
    Record(Call(title, Mixed(random, a_length, b_length), random));
  }

  /// Grades a limit at lengths that are known beforehand, and then at some that are not.
  static void CheckLimit(const Message& title, const Limit& limit) {
    static GradedCalls<Evidence> calls;
    Evidence evidence = calls.Get(0, title, [](RandomValues& random) {
      return Call("", Mixed(random, kLongLength / 2, kLongLength / 2), random);
    });
    limit.grade(evidence);
    if (evidence.result.verdict == Verdict::kPassed) {
      Evidence other = calls.Get(1, "", [](RandomValues& random) {
        const std::size_t length = kLongLength + 1 + random.Below(kLongLength / 4);
        const std::size_t a_length = length / 8 + random.Below(3 * length / 4);
        return Call("", Mixed(random, a_length, length - a_length), random);
      });
      limit.grade(other);
      AddVerdict(evidence.result, other.result.verdict,
                 say::merge_at_size(other.a.size(), other.b.size(), other.result.reason),
                 other.result.next_step);
    }
    BrokenLimits().Tell(limit.name, evidence.result);
    Record(std::move(evidence));
  }

  static void Record(Evidence evidence) {
    RecordResult(evidence.result);
    AllEvidence().push_back(std::move(evidence));
  }
};

TEST_F(MergeTiles, NothingToMerge) {
  Check(say::merge_of_nothing(), 0, 0);
}

/// The element of b comes first, and is negative.
TEST_F(MergeTiles, OneElementEach) {
  RandomValues random = TestRandom();
  Record(Call(say::merge_one_each(),
              {Sorted(random, 1, 1, 1'000'000), Sorted(random, 1, -1'000'000, -1), -1'000'000, 1'000'000},
              random));
}

TEST_F(MergeTiles, LessThanAWarp) {
  Check(say::merge_below_warp(13, 6), 13, 6);
}

TEST_F(MergeTiles, AHasNoElements) {
  Check(say::merge_a_empty(1000), 0, 1000);
}

TEST_F(MergeTiles, BHasNoElements) {
  Check(say::merge_b_empty(1000), 1000, 0);
}

TEST_F(MergeTiles, OneTile) {
  Check(say::merge_one_tile(1024, 1024), 1024, 1024);
}

TEST_F(MergeTiles, LastElementOfATileIsMissing) {
  Check(say::merge_below_tile(1024, 1023), 1024, 1023);
}

TEST_F(MergeTiles, NextTileHasOneElement) {
  Check(say::merge_next_tile(1025, 1024), 1025, 1024);
}

TEST_F(MergeTiles, SeveralTiles) {
  Check(say::merge_several_tiles(20'011, 20'011), 20'011, 20'011);
}

TEST_F(MergeTiles, ShortAndLong) {
  Check(say::merge_short_long(17, 30'011), 17, 30'011);
}

TEST_F(MergeTiles, LongAndShort) {
  Check(say::merge_long_short(30'011, 17), 30'011, 17);
}

TEST_F(MergeTiles, AllOfAComesFirst) {
  RandomValues random = TestRandom();
  Record(Call(say::merge_a_first(6000, 7000),
              {Sorted(random, 6000, -20'000, -1), Sorted(random, 7000, 1, 20'000), -20'000, 20'000}, random));
}

TEST_F(MergeTiles, AllOfBComesFirst) {
  RandomValues random = TestRandom();
  Record(Call(say::merge_b_first(6000, 7000),
              {Sorted(random, 6000, 1, 20'000), Sorted(random, 7000, -20'000, -1), -20'000, 20'000}, random));
}

TEST_F(MergeTiles, FewDifferentElements) {
  RandomValues random = TestRandom();
  Record(Call(say::merge_few_values(9000, 8000), Mixed(random, 9000, 8000, 4), random));
}

TEST_F(MergeTiles, AllElementsAreEqual) {
  RandomValues random = TestRandom();
  const int value = static_cast<int>(random.Below(1000)) + 1;
  Record(Call(say::merge_all_equal(3000, 2500),
              {std::vector<int>(3000, value), std::vector<int>(2500, value), 0, 1001}, random));
}

/// Half of them are the least or the greatest int.
TEST_F(MergeTiles, LeastAndGreatestInts) {
  constexpr std::int64_t kLeast = std::numeric_limits<int>::min(), kMost = std::numeric_limits<int>::max();
  RandomValues random = TestRandom();
  Input input{Sorted(random, 3000, kLeast, kMost), Sorted(random, 4000, kLeast, kMost), kLeast, kMost};
  for (std::vector<int>* array : {&input.a, &input.b}) {
    const std::size_t quarter = array->size() / 4;
    std::fill_n(array->begin(), quarter, static_cast<int>(kLeast));
    std::fill_n(array->rbegin(), quarter, static_cast<int>(kMost));
  }
  Record(Call(say::merge_extreme(3000, 4000), std::move(input), random));
}

TEST_F(MergeTiles, AnySize) {
  RandomValues random = TestRandom();
  const std::size_t a_length = 1000 + random.Below(9000), b_length = 1000 + random.Below(9000);
  Check(say::merge_any_size(a_length, b_length), a_length, b_length);
}

TEST_F(MergeTiles, MoreTilesThanThreads) {
  Check(say::merge_many_tiles(1'100'009, 1'100'003), 1'100'009, 1'100'003);
}

/// The limits and their derivation are at LimitsOf.
TEST_F(MergeTiles, WarpsLoadNeighbours) {
  CheckLimit(say::merge_load_neighbours(kLongLength / 2, kLongLength / 2), kLoads);
}

TEST_F(MergeTiles, WarpsStoreNeighbours) {
  CheckLimit(say::merge_store_neighbours(kLongLength / 2, kLongLength / 2), kStores);
}

TEST_F(MergeTiles, ElementsCostLittle) {
  CheckLimit(say::merge_little_work(kLongLength / 2, kLongLength / 2), kInstructions);
}

std::string ForLongInputs(const std::string& limit) {
  return "For a long input: " + limit;
}

const bool graded = GradedBy(
    {.shared = KernelGrading(),
     .header = {"output is right for all lengths of a and b.",
                ForLongInputs("loads from global memory fetch at most 16 sectors of 32 bytes per 32 elements "
                              "of output."),
                ForLongInputs("stores to global memory write at most 12 sectors of 32 bytes per 32 elements "
                              "of output."),
                ForLongInputs("warps execute at most 10 x length instructions.")},
     .page = {"The kernels load each element at least once.",
              "No warp executes more than 20,000 + 2 x length instructions.",
              "An atomic operation in global memory counts as a load and a store.",
              ForLongInputs("threads execute at least length instructions in all.")}});

const bool states_facts = StateFactsWith([] { return FactsOf(AllEvidence()); });

const bool timed = TimeWith(TimedMerges);

}  // namespace
}  // namespace warplings::merge
