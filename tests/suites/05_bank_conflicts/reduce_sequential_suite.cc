// SPDX-License-Identifier: Apache-2.0
//
// Judges chapter 5's reduce_sequential: sums of segments, then conflicts, divergence and sectors.

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>

#include "chapters/05_bank_conflicts/reduce_sequential.h"
#include "grader/messages/joining.h"
#include "grader/suite/device_work.h"
#include "grader/suite/evidence.h"
#include "grader/suite/judge.h"
#include "reference/matmul.h"
#include "tests/suites/05_bank_conflicts/messages.h"
#include "tests/suites/05_bank_conflicts/reduce_evidence.h"
#include "tests/suites/05_bank_conflicts/timed_shapes.h"
#include "tests/suites/common/busiest_line.h"
#include "tests/suites/common/explain_linear.h"

namespace warplings::bank_conflicts {
namespace {

std::vector<Reduction>& AllEvidence() {
  static std::vector<Reduction> all;
  return all;
}

/// For each launch: 64 warp instructions for each element is enough for one thread that adds all of them
/// alone.
std::uint64_t Budget(std::size_t n) {
  return 1'000'000 + 64 * n;
}

/// The bound is that of an inner product with ones (reference/matmul.h): it holds for every order of
/// summation.
reference::Bounded SumsOf(const std::vector<float>& x) {
  reference::Bounded sums;
  for (std::size_t first = 0; first < x.size(); first += SEGMENT) {
    const std::size_t count = std::min<std::size_t>(SEGMENT, x.size() - first);
    const reference::Bounded sum =
        reference::Matmul(std::span(x).subspan(first, count), std::vector<float>(count, 1.0f), 1, count, 1);
    sums.value.push_back(sum.value[0]);
    sums.bound.push_back(sum.bound[0]);
  }
  return sums;
}

/// For each segment: 256 threads may add 8 times each, as in a tree whose idle threads add, too; and 128 warp
/// instructions with an addition, where a tree of which each warp takes part in every step has 64 and a
/// thread that adds alone 255.
constexpr std::uint64_t kOperationsPerSegment = 8 * SEGMENT, kAddingInstructionsPerSegment = 128;

class ReduceSequential : public testing::Test {
 protected:
  using Fill = std::vector<float> (*)(RandomValues&, std::size_t);

  static Reduction Call(const Message& title, std::size_t n, Fill fill) {
    RandomValues random = TestRandom();
    Reduction seen;
    seen.test = testing::UnitTest::GetInstance()->current_test_info()->name();
    seen.x = fill(random, n);
    const reference::Bounded expected = SumsOf(seen.x);
    const CallReport report =
        Session().Call({InputArray("X", seen.x, OtherElements::AnyValue()),
                        OutputArray<float>("sums", expected.value.size())},
                       Budget(n), [n](Worker& worker, std::span<const DevicePointer> p) {
                         return worker.Call(p[0], p[1], static_cast<int>(n));
                       });
    seen.result = ResultOf(title, report);
    if (report.contents.size() != 2) return seen;
    seen.sums = ValuesOf<float>(report.contents[1]);
    const auto where = [](std::size_t i) { return "sums[" + std::to_string(i) + "]"; };
    AddComparison(seen.result, CompareFloats(seen.sums, expected.value, expected.bound, where), "sums");
    RequireDeviceWork(seen.result, report, WorkOf(n, expected.value.size()));
    for (const Limit& limit : kLimits) {
      Reduction graded = seen;
      limit.grade(graded);
      BrokenLimits().Note(limit.name, seen.result, graded.result, say::segments_call(n));
    }
    return seen;
  }
  static DeviceWork WorkOf(std::size_t n, std::size_t segments) {
    DeviceWork work;
    work.output = "sums";
    work.least_flops = n - segments;
    work.most_flops = kOperationsPerSegment * segments;
    work.most_flop_requests = kAddingInstructionsPerSegment * segments;
    work.least_bytes = n * sizeof(float);
    return work;
  }
  static void GradeConflicts(Reduction& seen) {
    const Counts counts = TotalCounts(seen.result);
    if (seen.result.verdict != Verdict::kPassed || SharedConflicts(counts) == 0) return;
    AddVerdict(seen.result, Verdict::kWrongResult,
               say::segments_conflicts({SharedConflicts(counts), "bank conflict"}, SharedRequests(counts)),
               NextStepOfConflicts(seen.result));
  }
  static Message NextStepOfConflicts(const TestResult& result) {
    const Counts counts = TotalCounts(result);
    if (counts.shared_load_conflicts + counts.shared_store_conflicts == 0)
      return say::segments_atomics_conflict_step();
    const LineCounts* line = LineOfConflicts(result);
    return line == nullptr ? say::segments_conflicts_step()
                           : say::segments_conflicts_step_in(line->where.line);
  }
  /// A warp diverges where some of its lanes work and others do not. For each segment of 256 elements:
  ///
  ///   sequential      one warp diverges in the steps with stride 16 to 1, and where the sum is stored =  6
  ///   with shuffles   one lane of each of 8 warps stores its warp's sum; 8 threads, then one go on    = 10
  ///   interleaved     each of the 8 warps diverges in the steps with stride 1 to 16: 40, and more later = 48
  ///
  /// The limit is two for each warp of 32 elements, 16. A last segment that is not full may have as many
  /// more: one for each guarded load or step.
  static void GradeDivergence(Reduction& seen) {
    if (seen.result.verdict != Verdict::kPassed) return;
    const std::size_t segments = (seen.x.size() + SEGMENT - 1) / SEGMENT;
    const std::size_t partial = seen.x.size() % SEGMENT != 0 ? 1 : 0;
    const std::uint64_t diverging = TotalCounts(seen.result).divergent_branches;
    if (diverging <= kBranchesPerSegment * (segments + partial)) return;
    const LineCounts* line = BusiestLine(seen.result, &Counts::divergent_branches);
    AddVerdict(
        seen.result, Verdict::kWrongResult, say::segments_diverge(diverging / segments),
        line == nullptr ? say::segments_diverge_step() : say::segments_diverge_step_in(line->where.line));
  }
  /// Where the sectors beyond those of X come from.
  static Message NextStepOfSectors(const TestResult& result, std::size_t n) {
    const ArrayTraffic of_x = TrafficOf(result, "X");
    if (of_x.load_sectors <= SectorsAllowed(n)) return say::segments_other_sectors_step(of_x.load_sectors);
    const LineCounts* line = BusiestLine(result, &Counts::global_load_sectors);
    const Message together =
        line == nullptr ? say::segments_sectors_step() : say::segments_sectors_step_in(line->where.line);
    if (of_x.load_bytes <= n * sizeof(float)) return together;
    return say::both(say::segments_bytes_step(of_x.load_bytes, n * sizeof(float)), together);
  }
  static void GradeSectors(Reduction& seen) {
    const std::size_t n = seen.x.size();
    const std::uint64_t sectors = SectorsLoaded(TotalCounts(seen.result));
    if (seen.result.verdict != Verdict::kPassed || sectors <= SectorsAllowed(n)) return;
    AddVerdict(seen.result, Verdict::kWrongResult, say::segments_sectors(sectors, (n + 7) / 8),
               NextStepOfSectors(seen.result, n));
  }
  struct Limit {
    const char* name;
    void (*grade)(Reduction& seen);
  };
  static constexpr Limit kLimits[] = {
      {"conflicts", GradeConflicts}, {"divergence", GradeDivergence}, {"sectors", GradeSectors}};
  /// The test that is about a limit, which holds in every call: a warp whose lanes part only in some calls
  /// parts.
  static void CheckLimit(const Limit& limit, const Message& title, std::size_t n) {
    Reduction seen = Call(title, n, SignedValues);
    limit.grade(seen);
    BrokenLimits().Tell(limit.name, seen.result);
    Record(std::move(seen));
  }
  /// 2 to 9 whole segments, for what is graded on counts: not known beforehand, and the same for each count.
  static std::size_t RandomSegments() {
    RandomValues random = TestRandom();
    return 2 + RandomValues(random.Next()).Below(8);
  }
  static void Record(Reduction seen) {
    RecordResult(seen.result);
    AllEvidence().push_back(std::move(seen));
  }
  static void Check(const Message& title, std::size_t n, Fill fill = SignedValues) {
    Record(Call(title, n, fill));
  }
  static std::vector<float> SmallIntegers(RandomValues& random, std::size_t count) {
    return DistinctIntegers(random, count, 1);
  }
};

TEST_F(ReduceSequential, OneElement) {
  Check(say::segments_one_element(1), 1);
}

TEST_F(ReduceSequential, IntegersToAddByHand) {
  Check(say::segments_by_hand(10), 10, SmallIntegers);
}

TEST_F(ReduceSequential, OneElementMissing) {
  Check(say::segments_one_missing(255), 255);
}

TEST_F(ReduceSequential, ExactlyOneSegment) {
  Check(say::segments_exactly_one(256), 256);
}

TEST_F(ReduceSequential, OneElementInTheLastSegment) {
  Check(say::segments_one_in_the_last(257), 257);
}

TEST_F(ReduceSequential, SeveralSegments) {
  Check(say::segments_four(1024), 1024);
}

/// A block of a grid that is bounded by a number has several of them, one after another.
TEST_F(ReduceSequential, ManySegments) {
  Check(say::segments_many(263'000, 1028), 263'000);
}

TEST_F(ReduceSequential, AnyLength) {
  RandomValues random(SeedOfTest(Session().seed(), "ReduceSequential.AnyLength.length"));
  const std::size_t n = 300 + random.Below(2000);
  Check(say::segments_any_length(n), n);
}

TEST_F(ReduceSequential, LargeAndSmallValues) {
  Check(say::segments_wide_values(700, 4000), 700, WideValues);
}

TEST_F(ReduceSequential, NoLanesMeetInABank) {
  const std::size_t n = RandomSegments() * SEGMENT;
  CheckLimit(kLimits[0], say::no_bank_conflict(say::segments_of(n)), n);
}

TEST_F(ReduceSequential, WarpsWorkOrRestAsAWhole) {
  const std::size_t n = RandomSegments() * SEGMENT;
  CheckLimit(kLimits[1], say::segments_whole_warps(say::segments_of(n)), n);
}

TEST_F(ReduceSequential, XIsReadInWholeSectors) {
  const std::size_t n = RandomSegments() * SEGMENT;
  CheckLimit(kLimits[2], say::segments_whole_sectors(say::segments_of(n)), n);
}

const bool graded = GradedBy(
    {.shared = KernelGrading(),
     .header =
         {"sums is right for every n. Floats may be added in any order.",
          "No access to shared memory has a bank conflict.",
          "There are at most " + std::to_string(kBranchesPerSegment) +
              " divergent branches per segment. Each time the lanes of a warp take different paths at a "
              "branch, that counts as one.",
          "Loads are coalesced: they fetch at most 1.5 x n / 8 + 2 x ceil(n / 256) sectors of 32 bytes. (X "
          "fills about n / 8.)"},
     .page = {"The kernels load each element of X at least once.",
              "The kernels do at least n - ceil(n / 256) operations.",
              "All threads together do at most " + std::to_string(kOperationsPerSegment) +
                  " operations per segment.",
              "Per segment, all warps together execute at most " +
                  std::to_string(kAddingInstructionsPerSegment) +
                  " instructions that add or multiply floats.",
              "If several lanes of one atomic instruction hit the same address in shared memory, each "
              "further lane counts as a bank conflict.",
              "All segments together have at most " + std::to_string(kBranchesPerSegment) +
                  " x ceil(n / 256) divergent branches. If the last segment is shorter than the others, " +
                  std::to_string(kBranchesPerSegment) + " additional ones are allowed."}});

LinearProbe ProbeOf(std::size_t n) {
  const auto place = [](std::size_t i) { return "[" + std::to_string(i) + "]"; };
  LinearProbe probe;
  probe.contract = {say::segments_call(n), "X", "sums", n, place, place, [n](std::size_t segment) {
                      std::vector<ElementIndex> elements;
                      const std::size_t first = segment * SEGMENT;
                      for (std::size_t i = first; i < std::min<std::size_t>(n, first + SEGMENT); ++i) {
                        elements.push_back(static_cast<ElementIndex>(i));
                      }
                      return elements;
                    }};
  probe.output_count = (n + SEGMENT - 1) / SEGMENT;
  probe.entry = [n](Worker& worker, DevicePointer x, DevicePointer sums,
                    std::span<const DevicePointer> /*kept*/) {
    return worker.Call(x, sums, static_cast<int>(n));
  };
  return probe;
}

/// Few elements of one segment, more than a warp has lanes, most of a segment, all of it, and one that is not
/// full behind it.
std::vector<Explained> Explain() {
  std::vector<LinearTest> tests;
  for (const Reduction& seen : AllEvidence())
    tests.push_back({seen.test, &seen.result, ProbeOf(seen.x.size())});
  std::vector<LinearProbe> probes;
  for (const std::size_t n : {7, 40, 200, 256, 300}) probes.push_back(ProbeOf(n));
  std::vector<Explained> found = ExplainLinearCalls(tests, probes);
  if (const Message mistake = MistakeInSums(AllEvidence()); !mistake.empty() && !found.empty()) {
    found.front().advice = mistake;
    found.front().explanation.facts = {mistake};
  }
  if (!found.empty()) return found;
  const Message digits = NearlyRight(AllEvidence());
  const auto wrong =
      std::ranges::find_if(AllEvidence(), [](const Reduction& seen) { return seen.result.wrong_count > 0; });
  if (digits.empty() || wrong == AllEvidence().end()) return {};
  return {{FullNameOf(wrong->test), {}, digits}};
}

const bool explains = ExplainWith(Explain);

const bool states_facts = StateFactsWith([] { return FactsOfReduction(AllEvidence()); });

const bool timed = TimeWith(TimedSegmentSums);

}  // namespace
}  // namespace warplings::bank_conflicts
