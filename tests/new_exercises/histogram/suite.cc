// SPDX-License-Identifier: Apache-2.0
//
// Judges histogram. Each test is one call of the submission's function on fresh inputs; its name says what a
// student may have misunderstood, its title says it in words.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "grader/messages/joining.h"
#include "grader/suite/comparison.h"
#include "grader/suite/device_work.h"
#include "grader/suite/evidence.h"
#include "grader/suite/judge.h"

namespace warplings {
namespace {

/// What one test saw, from which the facts are made.
struct Evidence {
  std::string name;
  int n = 0;
  TestResult result;
  std::vector<int> counts;
};

std::vector<Evidence>& AllEvidence() {
  static std::vector<Evidence> all;
  return all;
}

/// The watchdog's budget for a launch: many times what a single thread would need for all elements.
std::uint64_t Budget(int n, int bins) {
  return 100'000 + 1000 * static_cast<std::uint64_t>(n + bins);
}

class Histogram : public testing::Test {
 protected:
  void Check(const std::string& title, int n, int bins) {
    RandomValues random = TestRandom();
    std::vector<int> in, expected(static_cast<std::size_t>(bins));
    for (int i = 0; i < n; ++i) {
      in.push_back(static_cast<int>(random.Below(static_cast<std::uint64_t>(bins))));
      ++expected[static_cast<std::size_t>(in.back())];
    }
    // A value that is no bin would make a right kernel store outside counts.
    const CallReport report = Session().Call(
        {InputArray("in", in, OtherElements::EachAlone(), {Must<int>::BeFrom(0, bins - 1)}),
         OutputArray<int>("counts", expected.size())},
        Budget(n, bins),
        [=](Worker& worker, std::span<const DevicePointer> p) { return worker.Call(p[0], p[1], n, bins); });

    Evidence evidence;
    evidence.name = testing::UnitTest::GetInstance()->current_test_info()->name();
    evidence.n = n;
    evidence.result = ResultOf(title, report);
    if (report.contents.size() == 2) {
      evidence.counts = ValuesOf<int>(report.contents[1]);
      const auto where = [](std::size_t b) { return "counts[" + std::to_string(b) + "]"; };
      AddComparison(evidence.result, CompareInts(evidence.counts, expected, where), "counts");
      DeviceWork work;
      work.output = "counts";
      work.may_be_filled = true;
      work.least_bytes = in.size() * sizeof(int);
      work.most_of_a_warp = 2000 + 2 * in.size() + 8 * expected.size();
      RequireDeviceWork(evidence.result, report, work);
    }
    RecordResult(evidence.result);
    AllEvidence().push_back(std::move(evidence));
  }
};

TEST_F(Histogram, OneElement) {
  Check("n = 1: one thread of 256 has work", 1, 4);
}

TEST_F(Histogram, ManyElementsInThreeBins) {
  Check("n = 257 in 3 bins: many threads add to the same one", 257, 3);
}

TEST_F(Histogram, MoreBinsThanElements) {
  Check("n = 100 in 1000 bins: most of them stay 0", 100, 1000);
}

TEST_F(Histogram, ExactlyOneBlock) {
  Check("n = 256, exactly one block", 256, 16);
}

TEST_F(Histogram, AnySize) {
  RandomValues random(SeedOfTest(Session().seed(), "Histogram.AnySize.n"));
  const int n = 1025 + static_cast<int>(random.Below(2000)), bins = 2 + static_cast<int>(random.Below(500));
  Check("random sizes: " + std::to_string(n) + " elements in " + std::to_string(bins) + " bins", n, bins);
}

Message In(const Evidence& evidence, const Message& what) {
  return say::of_test(evidence.name, what);
}

bool HasFindingOfCounts(const Evidence& evidence, FindingKind kind) {
  return std::ranges::any_of(evidence.result.findings, [kind](const Finding& finding) {
    return finding.kind == kind && finding.object == "counts";
  });
}

/// What tells wrong answers apart. A fact only says what was seen; chapter.toml says which misconception it
/// tells of (told_by):
///
///   reads_outside           outside `in`, wherever a block is partly filled: unguarded
///   race_in_counts          two threads, and no atomic operation: not_atomic
///   added_to_unset_counts   read before anything was stored there: not_cleared
///   counted_too_few         as many as whole blocks have: rest_not_counted
std::vector<Fact> FactsOfCalls() {
  std::vector<Fact> found;
  for (const Evidence& evidence : AllEvidence()) {
    if (CountOutside(evidence.result, "in", Access::kRead) > 0) {
      AddFactOf(found, "reads_outside", In(evidence, "reads outside in"), evidence.name);
    }
    if (HasFindingOfCounts(evidence, FindingKind::kRace)) {
      AddFactOf(found, "race_in_counts", In(evidence, "two threads use one bin at the same time"),
                evidence.name);
    }
    if (HasFindingOfCounts(evidence, FindingKind::kUninitialised)) {
      AddFactOf(found, "added_to_unset_counts",
                In(evidence, "a bin is read before anything was stored there"), evidence.name);
    }
    if (HasError(evidence.result) || !Completed(evidence.result) || !Returned(evidence.result)) continue;
    const auto counted = std::accumulate(evidence.counts.begin(), evidence.counts.end(), std::int64_t{0});
    if (evidence.n > 256 && evidence.n % 256 != 0 && counted == evidence.n / 256 * 256) {
      AddFactOf(found, "counted_too_few",
                In(evidence, "the elements past the last whole block were not counted"), evidence.name);
    }
  }
  return found;
}

const bool graded = GradedBy({.shared = KernelGrading(),
                              .header = {"counts is right for every n and every number of bins."},
                              .page = {"cudaMemset may store the 0 of a bin that has no element.",
                                       "The kernels load each element of in at least once.",
                                       "No warp executes more than 2000 + 2 x n + 8 x bins instructions."}});

const bool states_facts = StateFactsWith(FactsOfCalls);

}  // namespace
}  // namespace warplings
