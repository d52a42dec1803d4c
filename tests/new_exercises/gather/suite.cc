// SPDX-License-Identifier: Apache-2.0
//
// Judges gather. Each test is one call of the submission's function on fresh inputs; its name says what a
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
#include "tests/suites/common/explain_linear.h"

namespace warplings {
namespace {

/// What one test saw, from which the facts are made.
struct Evidence {
  std::string name;
  TestResult result;
  std::vector<float> in, out;
  std::vector<int> index;
};

std::vector<Evidence>& AllEvidence() {
  static std::vector<Evidence> all;
  return all;
}

std::vector<int> Permutation(RandomValues& random, std::size_t n) {
  std::vector<int> permutation(n);
  std::iota(permutation.begin(), permutation.end(), 0);
  for (std::size_t i = n; i > 1; --i) std::swap(permutation[i - 1], permutation[random.Below(i)]);
  return permutation;
}

std::vector<int> BackToFront(std::size_t n) {
  std::vector<int> permutation(n);
  std::iota(permutation.rbegin(), permutation.rend(), 0);
  return permutation;
}

/// The watchdog's budget for a launch: many times what a single thread would need for all elements.
std::uint64_t Budget(std::size_t n) {
  return 100'000 + 1000 * n;
}

class Gather : public testing::Test {
 protected:
  void Check(const std::string& title, std::size_t n) {
    RandomValues random = TestRandom();
    Check(title, random, Permutation(random, n));
  }

  void Check(const std::string& title, RandomValues& random, std::vector<int> index) {
    Evidence evidence;
    evidence.name = testing::UnitTest::GetInstance()->current_test_info()->name();
    evidence.in = DistinctIntegers(random, index.size(), 1);
    evidence.index = std::move(index);
    const auto n = static_cast<int>(evidence.index.size());
    // in may hold any value; index has to stay a permutation.
    const CallReport report = Session().Call(
        {InputArray("in", evidence.in, OtherElements::AnyValue()),
         InputArray("index", evidence.index, OtherElements::AnyOrder(), {Must<int>::BePermutation()}),
         OutputArray<float>("out", evidence.in.size())},
        Budget(evidence.in.size()),
        [n](Worker& worker, std::span<const DevicePointer> p) { return worker.Call(p[0], p[1], p[2], n); });

    evidence.result = ResultOf(title, report);
    if (report.contents.size() == 3) {
      evidence.out = ValuesOf<float>(report.contents[2]);
      Compare(evidence);
      DeviceWork work;
      work.output = "out";
      work.is_a_move = true;
      work.least_bytes = 2 * evidence.in.size() * sizeof(float);
      work.most_words_by_a_thread = 64;
      RequireDeviceWork(evidence.result, report, work);
    }
    RecordResult(evidence.result);
    AllEvidence().push_back(std::move(evidence));
  }

 private:
  static void Compare(Evidence& evidence) {
    // Elements are only moved, so no error is allowed.
    std::vector<double> expected, bound(evidence.in.size(), 0.0);
    for (const int from : evidence.index) expected.push_back(evidence.in[static_cast<std::size_t>(from)]);
    const auto where = [](std::size_t i) { return "out[" + std::to_string(i) + "]"; };
    AddComparison(evidence.result, CompareFloats(evidence.out, expected, bound, where), "out");
  }
};

TEST_F(Gather, OneElement) {
  Check("n = 1: one thread of 256 has work", 1);
}

TEST_F(Gather, BackToFront) {
  RandomValues random = TestRandom();
  Check("n = 100, the last element first", random, BackToFront(100));
}

TEST_F(Gather, OneThreadOfTheSecondBlock) {
  Check("n = 257: the second block has one element", 257);
}

TEST_F(Gather, ExactlyOneBlock) {
  Check("n = 256, exactly one block", 256);
}

TEST_F(Gather, AnySize) {
  RandomValues random(SeedOfTest(Session().seed(), "Gather.AnySize.n"));
  const std::size_t n = 258 + random.Below(2000);
  Check("a random size: " + std::to_string(n), n);
}

Message In(const Evidence& evidence, const Message& what) {
  return say::of_test(evidence.name, what);
}

/// out[to(i)] is in[i] for every i, and not everywhere what it should be.
template <class To>
bool Moved(const Evidence& evidence, const To& to) {
  if (evidence.result.verdict == Verdict::kPassed || evidence.out.empty()) return false;
  for (std::size_t i = 0; i < evidence.in.size(); ++i) {
    if (evidence.out[to(i)] != evidence.in[i]) return false;
  }
  return true;
}

/// What tells wrong answers apart. A fact only says what was seen; chapter.toml says which misconception it
/// tells of (told_by).
std::vector<Fact> FactsOfCalls() {
  std::vector<Fact> found;
  for (const Evidence& evidence : AllEvidence()) {
    if (CountOutside(evidence.result, "index", Access::kRead) > 0) {
      AddFactOf(found, "reads_outside", In(evidence, "reads outside index"), evidence.name);
    }
    if (HasError(evidence.result)) continue;
    if (Moved(evidence, [](std::size_t i) { return i; })) {
      AddFactOf(found, "copied", In(evidence, "out[i] is in[i]"), evidence.name);
    } else if (Moved(evidence, [&](std::size_t i) { return static_cast<std::size_t>(evidence.index[i]); })) {
      AddFactOf(found, "scattered", In(evidence, "out[index[i]] is in[i]"), evidence.name);
    }
  }
  return found;
}

const bool graded = GradedBy({.shared = MoveGrading(),
                              .header = {"out is right for every n and every permutation."},
                              .page = {"The kernels load each element of in and index at least once.",
                                       "No thread stores more than 64 elements of out."}});

const bool states_facts = StateFactsWith(FactsOfCalls);

/// A call whose results show which element of in went where. `index` keeps its elements, for it is a
/// permutation.
LinearProbe ProbeOf(const std::vector<int>& index) {
  const auto n = static_cast<int>(index.size());
  const auto place = [](std::size_t i) { return "[" + std::to_string(i) + "]"; };
  LinearProbe probe;
  probe.contract = {
      "n = " + std::to_string(n), "in", "out", index.size(), place, place, [index](std::size_t i) {
        return std::vector<ElementIndex>{index[i]};
      }};
  probe.output_count = index.size();
  probe.kept = {InputArray("index", index, OtherElements::None())};
  probe.entry = [n](Worker& worker, DevicePointer in, DevicePointer out,
                    std::span<const DevicePointer> kept) { return worker.Call(in, kept[0], out, n); };
  return probe;
}

/// Of wrong values without a named misconception: what out holds instead. A small permutation first.
std::vector<Explained> ExplainMoves() {
  std::vector<LinearTest> tests;
  for (const Evidence& e : AllEvidence()) tests.push_back({e.name, &e.result, ProbeOf(e.index)});
  const LinearProbe probes[] = {ProbeOf({2, 0, 3, 1, 5, 4})};
  return ExplainLinearCalls(tests, probes);
}

const bool explains = ExplainWith(ExplainMoves);

}  // namespace
}  // namespace warplings
