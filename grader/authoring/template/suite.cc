// SPDX-License-Identifier: Apache-2.0
//
// Judges @EXERCISE@. Each test is one call of the submission's function on fresh inputs; its name says what a
// student may have misunderstood, its title says it in words.

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
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
  std::vector<float> out;
};

std::vector<Evidence>& AllEvidence() {
  static std::vector<Evidence> all;
  return all;
}

/// The watchdog's budget for a launch: many times what a single thread would need for all elements.
std::uint64_t Budget(int n) {
  return 100'000 + 1000 * static_cast<std::uint64_t>(n);
}

bool IsFinite(float element) {
  return std::isfinite(element);
}

class @SUITE@ : public testing::Test {
 protected:
  void Check(const std::string& title, int n) {
    RandomValues random = TestRandom();
    const std::vector<float> in = SignedValues(random, static_cast<std::size_t>(n));
    // What else `in` may hold by the contract. The judge calls with other elements, too, to find an answer
    // that remembers an array. AnyValue() suits elements that are copied, and floats that are added up.
    // Indices, integers of a range, a permutation, keys in order: grader/suite/device_array.h has a rule for
    // each. Then what the contract says of every input (grader/suite/input_rule.h): it is checked here and of
    // the judge's other elements.
    const CallReport report = Session().Call(
        {InputArray("in", in, OtherElements::AnyValue(),
                    {Must<float>::Each("each element is finite", IsFinite)}),
         OutputArray<float>("out", in.size())},
        Budget(n),
        [n](Worker& worker, std::span<const DevicePointer> p) { return worker.Call(p[0], p[1], n); });

    Evidence evidence;
    evidence.name = testing::UnitTest::GetInstance()->current_test_info()->name();
    evidence.n = n;
    evidence.result = ResultOf(title, report);
    if (report.contents.size() == 2) {
      evidence.out = ValuesOf<float>(report.contents[1]);
      Compare(in, evidence);
      // Without this, an answer that computes on the CPU passes. Further limits: grader/suite/device_work.h.
      RequireDeviceWork(evidence.result, report, {.output = "out"});
    }
    RecordResult(evidence.result);
    AllEvidence().push_back(std::move(evidence));
  }

 private:
  static void Compare(const std::vector<float>& in, Evidence& evidence) {
    // Doubling a float is exact (it only changes the exponent), so no error is allowed. A sum of n products
    // may be off by (n + 1) x 2^-24 x the sum of their magnitudes, as in reference/matmul.h.
    std::vector<double> expected, bound(in.size(), 0.0);
    for (const float value : in) expected.push_back(2.0 * value);
    const auto where = [](std::size_t i) { return "out[" + std::to_string(i) + "]"; };
    AddComparison(evidence.result, CompareFloats(evidence.out, expected, bound, where), "out");
  }
};

TEST_F(@SUITE@, OneElement) {
  Check("n = 1: one thread of 256 has work", 1);
}

TEST_F(@SUITE@, JustBelowABlock) {
  Check("n = 255, one less than a block", 255);
}

TEST_F(@SUITE@, ExactlyOneBlock) {
  Check("n = 256, exactly one block", 256);
}

TEST_F(@SUITE@, OneThreadOfTheSecondBlock) {
  Check("n = 257: the second block has one element", 257);
}

TEST_F(@SUITE@, AnySize) {
  RandomValues random(SeedOfTest(Session().seed(), "@SUITE@.AnySize.n"));
  const int n = static_cast<int>(258 + random.Below(2000));
  Check("a random size: " + std::to_string(n), n);
}

/// Elements from `first` on were never written, and all before were.
bool WrittenUpTo(const Evidence& evidence, std::size_t first) {
  for (std::size_t i = 0; i < evidence.out.size(); ++i) {
    if (IsPoison(evidence.out[i]) != (i >= first)) return false;
  }
  return !evidence.out.empty();
}

Message In(const Evidence& evidence, const Message& what) {
  return say::of_test(evidence.name, what);
}

/// What tells wrong answers apart. A fact only says what was seen; chapter.toml says which misconception it
/// tells of (told_by):
///
///   reads_outside             outside `in`, wherever a block is partly filled: unguarded
///   only_first_block_written  though there were blocks enough: block_index_left_out
///   rest_unwritten            the elements past the last whole block: grid_rounded_down
///
/// AddFactOf states it of one test: a report then counts no other test as one that shows it.
///
/// This exercise limits no count. Where one is limited, keep what EveryCall::Note returns
/// (grader/suite/device_work.h), and state the fact of the limit only there:
///
///     if (evidence.many_loads) AddFactOf(found, "many_loads", In(evidence, …), evidence.name);
///
/// The limit alone is broken then. A count is too large in a call that went wrong for another reason, too.
std::vector<Fact> FactsOfCalls() {
  std::vector<Fact> found;
  for (const Evidence& evidence : AllEvidence()) {
    const auto n = static_cast<std::size_t>(evidence.n);
    if (CountOutside(evidence.result, "in", Access::kRead) > 0) {
      Fact& fact = AddFactOf(found, "reads_outside", In(evidence, "reads outside in"), evidence.name);
      ShowFinding(fact, evidence.result, Outside("in", Access::kRead));  // Reports quote it.
    }
    // What a call did not come to is no mistake of its own.
    if (!Completed(evidence.result) || !Returned(evidence.result)) continue;
    const std::uint64_t blocks = evidence.result.launches.front().grid.Volume();
    const bool enough = blocks * 256 >= n;
    if (n > 256 && enough && WrittenUpTo(evidence, 256)) {
      AddFactOf(found, "only_first_block_written",
                In(evidence, "only the first block's elements were written"), evidence.name);
    }
    if (n % 256 != 0 && !enough && WrittenUpTo(evidence, n / 256 * 256)) {
      AddFactOf(found, "rest_unwritten",
                In(evidence, "the elements past the last whole block were never written"), evidence.name);
    }
  }
  return found;
}

/// Word for word what the contract header says; KernelGrading() has its last line. Further limits, each a
/// member of DeviceWork, are in a section "## @EXERCISE@" of chapters/grading.md, and in `.page` here.
const bool graded =
    GradedBy({.shared = KernelGrading(), .header = {"out is right for every n."}, .page = {}});

const bool states_facts = StateFactsWith(FactsOfCalls);

}  // namespace
}  // namespace warplings
