// SPDX-License-Identifier: Apache-2.0
//
// Judges chapter 7's histogram. Each test is one call of the submission's function on fresh inputs; its name
// says what a student may have misunderstood, its title says it in words.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "grader/messages/calls.h"
#include "grader/suite/device_work.h"
#include "grader/suite/evidence.h"
#include "grader/suite/judge.h"
#include "reference/histogram.h"
#include "tests/suites/07_where_it_recurs/histogram_evidence.h"
#include "tests/suites/07_where_it_recurs/messages.h"
#include "tests/suites/07_where_it_recurs/timed_histogram.h"
#include "tests/suites/common/explain_linear.h"

namespace warplings::histogram {
namespace {

/// What all tests saw, for FactsOf.
std::vector<Evidence>& AllEvidence() {
  static std::vector<Evidence> all;
  return all;
}

/// Enough for one thread that counts everything alone, at 64 instructions an element.
std::uint64_t Budget(std::size_t length, int bins) {
  return 1'000'000 + 64 * (length + static_cast<std::size_t>(bins));
}

/// Elements that are in any bin with the same probability.
std::vector<int> Spread(RandomValues& random, std::size_t length, int bins) {
  std::vector<int> input(length);
  for (int& value : input) value = static_cast<int>(random.Below(static_cast<std::uint64_t>(bins)));
  return input;
}

/// Half of them, by chance, in one bin.
std::vector<int> Skewed(RandomValues& random, std::size_t length, int bins) {
  std::vector<int> input = Spread(random, length, bins);
  const auto favourite = static_cast<int>(random.Below(static_cast<std::uint64_t>(bins)));
  for (int& value : input) {
    if (random.Below(2) == 0) value = favourite;
  }
  return input;
}

/// First as many of one bin as two segments of 65,536 have. Of the others 23 of 100, by chance, are in any
/// bin: so each block has many bins to add, and the one bin has more than 16 times 65,536 elements in all.
std::vector<int> Crowded(RandomValues& random, std::size_t length, int bins) {
  constexpr std::size_t kRun = 131'072;
  std::vector<int> input = Spread(random, length, bins);
  const auto crowded = static_cast<int>(random.Below(static_cast<std::uint64_t>(bins)));
  for (std::size_t i = 0; i < length; ++i) {
    if (i < kRun || random.Below(100) >= 23) input[i] = crowded;
  }
  return input;
}

class Histogram : public testing::Test {
 protected:
  static Evidence Call(const Message& title, std::vector<int> input, int bins) {
    const auto length = static_cast<int>(input.size());
    // An element that is no bin would make a right kernel store outside its copy.
    const CallReport report = Session().Call(
        {InputArray("input", input, OtherElements::EachAlone(), {Must<int>::BeFrom(0, bins - 1)}),
         OutputArray<int>("counts", static_cast<std::size_t>(bins))},
        Budget(input.size(), bins), [=](Worker& worker, std::span<const DevicePointer> p) {
          return worker.Call(p[0], p[1], length, bins);
        });

    Evidence evidence;
    evidence.test = testing::UnitTest::GetInstance()->current_test_info()->name();
    evidence.result = ResultOf(title, report);
    evidence.input = std::move(input);
    evidence.bins = bins;
    if (evidence.input.empty() && say::grid_of_zero.Made(evidence.result.next_step))
      evidence.result.next_step = say::hist_no_launch_step();
    if (report.contents.size() != 2) return evidence;
    evidence.counts = ValuesOf<int>(report.contents[1]);
    AddComparison(evidence.result,
                  CompareInts(evidence.counts, reference::Histogram(evidence.input, bins),
                              [](std::size_t b) { return "counts[" + std::to_string(b) + "]"; }),
                  "counts");
    AskByTotal(evidence);
    RequireDeviceWork(evidence.result, report, WorkOf(evidence.input.size(), bins));
    if (IsLong(evidence.input.size(), bins)) {
      const Message call = say::hist_call(evidence.input.size(), bins);
      Evidence graded = evidence;
      GradeUpdates(graded);
      BrokenLimits().Note("updates", evidence.result, graded.result, call);
      graded = evidence;
      GradeSectors(graded);
      BrokenLimits().Note("sectors", evidence.result, graded.result, call);
    }
    return evidence;
  }

  /// One thread that counts everything needs 4 instructions an element at least. A warp of a block that
  /// counts everything needs a thread's instructions for each 32nd element; one thread may add all bins up.
  static DeviceWork WorkOf(std::size_t length, int bins) {
    DeviceWork work;
    work.output = "counts";
    work.may_be_filled = true;
    work.least_bytes = length * sizeof(int);
    work.most_of_a_warp = 20'000 + 2 * length + 64 * static_cast<std::size_t>(bins);
    return work;
  }

  static void GradeUpdates(Evidence& evidence) {
    const std::uint64_t limit = LimitsOf(evidence.input.size(), evidence.bins).updates;
    const std::uint64_t updates = Updates(evidence.result);
    if (updates <= limit) return;
    AddVerdict(
        evidence.result, Verdict::kWrongResult, say::hist_updates(updates, limit),
        UsesShared(evidence.result) ? say::hist_updates_step(evidence.bins) : say::hist_no_copy_step());
  }

  static void GradeSectors(Evidence& evidence) {
    const Limits limits = LimitsOf(evidence.input.size(), evidence.bins);
    const ArrayTraffic of_input = TrafficOf(evidence.result, "input");
    const std::uint64_t of_all = TotalCounts(evidence.result).global_load_sectors;
    const std::size_t loaded = of_input.load_bytes / sizeof(int);
    if (of_input.load_sectors > limits.load_sectors) {
      AddVerdict(evidence.result, Verdict::kWrongResult,
                 say::hist_sectors(of_input.load_sectors, limits.load_sectors),
                 loaded > evidence.input.size() ? say::hist_loaded_again_step(loaded, evidence.input.size())
                                                : say::hist_sectors_step());
    } else if (of_all > limits.all_load_sectors) {
      AddVerdict(evidence.result, Verdict::kWrongResult,
                 say::hist_all_sectors(of_all, limits.all_load_sectors), say::hist_all_sectors_step());
    }
  }

  /// What the counts add up to says more than a single wrong one.
  static void AskByTotal(Evidence& evidence) {
    TestResult& result = evidence.result;
    const bool returned_at_once = evidence.input.empty() && result.launches.empty() && Returned(result);
    if (returned_at_once && IsPoisonInt(evidence.counts.front())) {
      result.next_step = say::hist_of_nothing_step();
    }
    if (result.verdict != Verdict::kWrongResult || !Completed(result)) return;
    if (std::ranges::any_of(evidence.counts, IsPoisonInt)) return;
    const auto total = std::accumulate(evidence.counts.begin(), evidence.counts.end(), std::int64_t{0});
    const bool is_empty = std::ranges::count(evidence.counts, 0) == std::ssize(evidence.counts);
    const std::int64_t length = std::ssize(evidence.input);
    const say::Count elements(evidence.input.size(), "element");
    result.next_step = is_empty         ? say::hist_total_zero(elements)
                       : total < length ? say::hist_total_below(total, elements)
                       : total > length ? (length == 1 ? say::hist_one_counted_more(total)
                                                       : say::hist_total_above(total, elements))
                       : length == 1    ? say::hist_one_in_wrong_bin()
                                        : say::hist_total_right(total);
  }

  static void Check(const Message& title, std::size_t length, int bins) {
    RandomValues random = TestRandom();
    Record(Call(title, Spread(random, length, bins), bins));
  }

  /// Grades a limit with a size that is known beforehand, and then, if `again`, with a size and a spread that
  /// are not.
  static void CheckLimit(const Message& title, const std::string& limit, void (*grade)(Evidence&),
                         std::size_t length, int bins, bool again = true) {
    RandomValues random = TestRandom();
    Evidence evidence = Call(title, Spread(random, length, bins), bins);
    grade(evidence);
    if (again && evidence.result.verdict == Verdict::kPassed) {
      const std::size_t more = length + 1 + random.Below(length / 4);
      const int fewer = bins - static_cast<int>(random.Below(static_cast<std::uint64_t>(bins / 8)));
      Evidence other = Call("", Skewed(random, more, fewer), fewer);
      grade(other);
      AddVerdict(evidence.result, other.result.verdict, say::hist_at_size(more, fewer, other.result.reason),
                 other.result.next_step);
    }
    BrokenLimits().Tell(limit, evidence.result);
    Record(std::move(evidence));
  }

  static void Record(Evidence evidence) {
    RecordResult(evidence.result);
    AllEvidence().push_back(std::move(evidence));
  }
};

TEST_F(Histogram, NothingToCount) {
  Check(say::hist_of_nothing(300), 0, 300);
}

TEST_F(Histogram, OneElement) {
  Check(say::hist_of_one(4), 1, 4);
}

TEST_F(Histogram, OneBin) {
  Check(say::hist_one_bin(1000), 1000, 1);
}

TEST_F(Histogram, OneElementAThread) {
  Check(say::hist_one_block(256, 16), 256, 16);
}

TEST_F(Histogram, OneElementMoreThanThreads) {
  Check(say::hist_one_more(257, 16), 257, 16);
}

TEST_F(Histogram, MoreBinsThanElements) {
  Check(say::hist_mostly_empty(100, 200), 100, 200);
}

TEST_F(Histogram, MoreBinsThanThreads) {
  Check(say::hist_bins_beyond(9000, 4096), 9000, 4096);
}

TEST_F(Histogram, LastElementOfASegmentIsMissing) {
  Check(say::hist_below_segment(2047, 64), 2047, 64);
}

TEST_F(Histogram, NextSegmentHasOneElement) {
  Check(say::hist_next_segment(2049, 64), 2049, 64);
}

TEST_F(Histogram, EachElementOnce) {
  Check(say::hist_each_once(20'011, 100), 20'011, 100);
}

TEST_F(Histogram, AllElementsInOneBin) {
  RandomValues random = TestRandom();
  const auto bin = static_cast<int>(random.Below(256));
  Record(Call(say::hist_all_in_one(5000, bin, 256), std::vector<int>(5000, bin), 256));
}

TEST_F(Histogram, HalfOfTheElementsInOneBin) {
  RandomValues random = TestRandom();
  Record(Call(say::hist_skewed(10'000, 300), Skewed(random, 10'000, 300), 300));
}

TEST_F(Histogram, AnySize) {
  RandomValues random = TestRandom();
  const std::size_t length = 3000 + random.Below(9000);
  const auto bins = static_cast<int>(2 + random.Below(1000));
  Record(Call(say::hist_any_size(length, bins), Spread(random, length, bins), bins));
}

/// The limits and their derivation are at LimitsOf.
TEST_F(Histogram, FewCopiesAreAddedUp) {
  CheckLimit(say::hist_few_copies(kLongLength, 256), "updates", GradeUpdates, kLongLength, 256);
}

TEST_F(Histogram, ManyBinsNeedFewerCopies) {
  constexpr bool kAgain = false;  // The last test has other numbers of bins.
  CheckLimit(say::hist_many_bins(kLongLength, 1024), "updates", GradeUpdates, kLongLength, 1024, kAgain);
}

TEST_F(Histogram, WarpsLoadNeighbours) {
  CheckLimit(say::hist_neighbours(kLongLength, 64), "sectors", GradeSectors, kLongLength, 64);
}

/// Long and odd, more bins than 2048, and more elements in one of them than 16 bits count: both limits hold
/// here, too.
TEST_F(Histogram, ManyBinsOneOfThemCrowded) {
  RandomValues random = TestRandom();
  const std::size_t length = 1'330'001 + 2 * random.Below(10'000);
  const auto bins = static_cast<int>(2049 + random.Below(2048));
  Evidence evidence = Call(say::hist_crowded(length, bins), Crowded(random, length, bins), bins);
  GradeUpdates(evidence);
  GradeSectors(evidence);
  Record(std::move(evidence));
}

std::string ForLongInputs(const std::string& limit) {
  return "For a long input: " + limit;
}

const bool graded = GradedBy(
    {.shared = KernelGrading(),
     .header = {"counts is right for every length and every number of bins, however the elements are spread "
                "over the bins.",
                ForLongInputs(
                    "kernels store or atomically add at most length / 8 + 4 x bins ints in global memory."),
                ForLongInputs("loads from input fetch at most 5 sectors of 32 bytes per 32 elements.")},
     .page = {"cudaMemset may store the 0 of a bin that has no element.",
              "The kernels load each element at least once.",
              "No warp executes more than 20,000 + 2 x length + 64 x bins instructions.",
              "A store or an atomic addition of 8 bytes counts as two ints, whichever array it goes to.",
              ForLongInputs("all loads from global memory fetch at most length / 4 + length / 32 + 4 x bins "
                            "sectors.")}});

std::vector<Explained> Explain() {
  const Message mistake = MistakeInCounts(AllEvidence());
  const auto wrong =
      std::ranges::find_if(AllEvidence(), [](const Evidence& e) { return HasWrongValues(e.result); });
  if (mistake.empty() || wrong == AllEvidence().end()) return {};
  return {{FullNameOf(wrong->test), {}, mistake}};
}

const bool explains = ExplainWith(Explain);

const bool states_facts = StateFactsWith([] { return FactsOf(AllEvidence()); });

const bool timed = TimeWith(TimedHistograms);

}  // namespace
}  // namespace warplings::histogram
