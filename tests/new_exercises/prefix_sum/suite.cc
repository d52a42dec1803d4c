// SPDX-License-Identifier: Apache-2.0
//
// Judges prefix_sum. Each test is one call of the submission's function on fresh inputs; its name says what a
// student may have misunderstood, its title says it in words.

#include <gtest/gtest.h>

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
  TestResult result;
  std::vector<int> in, out;
};

std::vector<Evidence>& AllEvidence() {
  static std::vector<Evidence> all;
  return all;
}

/// The watchdog's budget for a launch: many times what a single thread would need for all elements.
std::uint64_t Budget(std::size_t n) {
  return 1'000'000 + 1000 * n;
}

/// Sums that begin anew every `piece` elements.
std::vector<int> PrefixSums(const std::vector<int>& in, std::size_t piece) {
  std::vector<int> sums = in;
  for (std::size_t i = 1; i < sums.size(); ++i) {
    if (i % piece != 0) sums[i] += sums[i - 1];
  }
  return sums;
}

class PrefixSum : public testing::Test {
 protected:
  void Check(const std::string& title, std::size_t count) {
    RandomValues random = TestRandom();
    Evidence evidence;
    evidence.name = testing::UnitTest::GetInstance()->current_test_info()->name();
    // No 0: a sum that leaves an element out is another one.
    for (std::size_t i = 0; i < count; ++i) {
      const int magnitude = 1 + static_cast<int>(random.Below(100));
      evidence.in.push_back(random.Below(2) == 0 ? magnitude : -magnitude);
    }
    const auto n = static_cast<int>(count);
    // Not any value: the contract has a range, and sums of large integers overflow.
    const CallReport report = Session().Call(
        {InputArray("in", evidence.in, OtherElements::EachAlone(), {Must<int>::BeFrom(-100, 100)}),
         OutputArray<int>("out", count)},
        Budget(count),
        [n](Worker& worker, std::span<const DevicePointer> p) { return worker.Call(p[0], p[1], n); });

    evidence.result = ResultOf(title, report);
    if (report.contents.size() == 2) {
      evidence.out = ValuesOf<int>(report.contents[1]);
      const auto where = [](std::size_t i) { return "out[" + std::to_string(i) + "]"; };
      AddComparison(evidence.result, CompareInts(evidence.out, PrefixSums(evidence.in, count), where), "out");
      DeviceWork work;
      work.output = "out";
      work.least_bytes = count * sizeof(int);
      work.most_of_a_warp = 4000 + 2 * count;
      RequireDeviceWork(evidence.result, report, work);
    }
    RecordResult(evidence.result);
    AllEvidence().push_back(std::move(evidence));
  }
};

TEST_F(PrefixSum, OneElement) {
  Check("n = 1: one thread of 256 has work", 1);
}

TEST_F(PrefixSum, LessThanAWarp) {
  Check("n = 20, less than a warp", 20);
}

TEST_F(PrefixSum, ExactlyOneBlock) {
  Check("n = 256, exactly one block", 256);
}

TEST_F(PrefixSum, OneThreadOfTheSecondBlock) {
  Check("n = 257: the second block has one element", 257);
}

TEST_F(PrefixSum, AnySize) {
  RandomValues random(SeedOfTest(Session().seed(), "PrefixSum.AnySize.n"));
  const std::size_t n = 1025 + random.Below(4000);
  Check("a random size: " + std::to_string(n), n);
}

Message In(const Evidence& evidence, const Message& what) {
  return say::of_test(evidence.name, what);
}

bool LacksOwnElement(const Evidence& evidence) {
  std::vector<int> sums = PrefixSums(evidence.in, evidence.in.size());
  for (std::size_t i = 0; i < sums.size(); ++i) sums[i] -= evidence.in[i];
  return evidence.out == sums;
}

bool BeginsAnewInEachBlock(const Evidence& evidence) {
  const std::uint64_t piece = evidence.result.launches.front().block.Volume();
  return evidence.in.size() > piece && evidence.out == PrefixSums(evidence.in, piece);
}

/// What tells wrong answers apart. A fact only says what was seen; chapter.toml says which misconception it
/// tells of (told_by).
std::vector<Fact> FactsOfCalls() {
  std::vector<Fact> found;
  for (const Evidence& evidence : AllEvidence()) {
    if (CountOutside(evidence.result, "in", Access::kRead) > 0) {
      AddFactOf(found, "reads_outside", In(evidence, "reads outside in"), evidence.name);
    }
    if (ReadsTooEarlyOrStoresOver(evidence.result)) {
      Fact& fact = AddFactOf(
          found, "race_in_shared",
          In(evidence, "one thread reads a sum in shared memory while another one stores it"), evidence.name);
      ShowFinding(fact, evidence.result, NeedsABarrier);
    }
    if (HasError(evidence.result) || !Completed(evidence.result) || !Returned(evidence.result)) continue;
    if (LacksOwnElement(evidence))
      AddFactOf(found, "sums_before", In(evidence, "out[i] lacks in[i]"), evidence.name);
    if (BeginsAnewInEachBlock(evidence)) {
      AddFactOf(found, "each_block_begins_anew", In(evidence, "the sums begin anew in each block"),
                evidence.name);
    }
  }
  return found;
}

const bool graded = GradedBy({.shared = KernelGrading(),
                              .header = {"out is right for every n."},
                              .page = {"The kernels load each element of in at least once.",
                                       "No warp executes more than 4000 + 2 x n instructions."}});

const bool states_facts = StateFactsWith(FactsOfCalls);

}  // namespace
}  // namespace warplings
