// SPDX-License-Identifier: Apache-2.0
//
// Judges chapter 6's coarsened_reduction. Each test is one call of the submission's function on fresh inputs;
// its name says what a student may have misunderstood, its title says it in words.

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <utility>

#include "grader/messages/calls.h"
#include "grader/suite/device_work.h"
#include "grader/suite/evidence.h"
#include "grader/suite/judge.h"
#include "reference/matmul.h"
#include "tests/suites/06_coarsening/coarsened_reduction_evidence.h"
#include "tests/suites/06_coarsening/messages.h"
#include "tests/suites/06_coarsening/timed_reduction.h"
#include "tests/suites/common/explain_linear.h"
#include "tests/suites/common/messages.h"

namespace warplings::coarsened_reduction {
namespace {

/// What all tests saw, for FactsOf.
std::vector<Evidence>& AllEvidence() {
  static std::vector<Evidence> all;
  return all;
}

/// Enough for one thread that adds up everything alone, at 64 instructions an element.
std::uint64_t Budget(std::size_t length) {
  return 1'000'000 + 64 * length;
}

/// 1 to 100 with random signs: with fewer than 2^24 / 100 of them every order of adding is exact, so that the
/// only right answer is the sum itself.
std::vector<float> SmallIntegers(RandomValues& random, std::size_t count) {
  std::vector<float> values(count);
  for (float& value : values) {
    const auto magnitude = static_cast<float>(1 + random.Below(100));
    value = random.Below(2) == 0 ? magnitude : -magnitude;
  }
  return values;
}

class CoarsenedReduction : public testing::Test {
 protected:
  static Evidence Call(const Message& title, std::vector<float> input, bool is_exact) {
    const auto length = static_cast<int>(input.size());
    const CallReport report = Session().Call(
        {InputArray("input", input, OtherElements::AnyValue()), OutputArray<float>("output", 1)},
        Budget(input.size()), [length](Worker& worker, std::span<const DevicePointer> p) {
          return worker.Call(p[0], p[1], length);
        });

    Evidence evidence;
    evidence.test = testing::UnitTest::GetInstance()->current_test_info()->name();
    evidence.result = ResultOf(title, report);
    evidence.is_exact = is_exact;
    evidence.input = std::move(input);
    if (evidence.input.empty() && say::grid_of_zero.Made(evidence.result.next_step))
      evidence.result.next_step = say::coarse_sum_no_launch_step();
    if (report.contents.size() != 2) return evidence;
    evidence.value = ValuesOf<float>(report.contents[1]);
    Compare(evidence);
    RequireDeviceWork(evidence.result, report, WorkOf(evidence.input.size()));
    AskForMoreThreads(evidence.result);
    AskForTheZero(evidence);
    if (evidence.input.size() >= kCountedLength) {
      Evidence graded = evidence;
      GradeCounts(graded);
      BrokenLimits().Note("counts", evidence.result, graded.result,
                          say::call_of_elements(evidence.input.size()));
    }
    return evidence;
  }

  /// Without elements the sum is 0, which cudaMemset may write. On short arrays a grid of fixed size adds
  /// many zeros, so that only long ones have upper bounds:
  ///
  ///   most_flops          each element once, and a tree over as many threads as have an element each
  ///   most_flop_requests  a warp adds 32 elements at once, 1 / 32 for each; trees, of which a thousand
  ///                       threads have one, less than another 1 / 8. One thread that adds alone needs 1
  static DeviceWork WorkOf(std::size_t length) {
    DeviceWork work;
    work.output = "output";
    work.may_be_filled = length == 0;
    if (length == 0) return work;
    work.least_flops = length - 1;
    work.least_bytes = length * sizeof(float);
    if (length < kCountedLength) return work;
    work.most_flops = 4 * length;
    work.most_flop_requests = length / 4;
    return work;
  }

  /// Where one thread adds alone, no question about the others of its warp helps.
  static void AskForMoreThreads(TestResult& result) {
    if (result.verdict != Verdict::kWrongResult || result.wrong_count > 0 || Threads(result) != 1) return;
    result.next_step = say::coarse_sum_one_thread_step();
  }

  /// Without elements no kernel is needed, but a zero is.
  static void AskForTheZero(Evidence& evidence) {
    const TestResult& result = evidence.result;
    const bool returned_at_once = evidence.input.empty() && result.launches.empty() && Returned(result);
    if (returned_at_once && IsPoison(evidence.value.front()))
      evidence.result.next_step = say::coarse_sum_of_nothing_step();
  }

  /// Adds what a call on a long array does beyond the contract's limits.
  static void GradeCounts(Evidence& evidence) {
    const std::size_t length = evidence.input.size();
    const Limits limits = LimitsOf(static_cast<int>(length));
    const Counts counts = TotalCounts(evidence.result);
    const auto refuse = [&](std::uint64_t count, std::uint64_t limit, const Message& what,
                            const Message& next_step) {
      if (count <= limit) return;
      AddVerdict(evidence.result, Verdict::kWrongResult, say::coarse_sum_limit(count, what, limit),
                 next_step);
    };
    // Additions beyond the limit are a consequence.
    if (evidence.result.wrong_count == 0 && evidence.result.verdict == Verdict::kWrongResult &&
        Threads(evidence.result) > limits.threads) {
      evidence.result.verdict = Verdict::kPassed;
    }
    refuse(Threads(evidence.result), limits.threads, say::coarse_sum_threads(length),
           say::coarse_sum_threads_step(length));
    refuse(counts.barriers, limits.barriers, say::coarse_barrier_arrivals(), say::coarse_sum_barriers_step());
    refuse(counts.atomics, limits.atomics, say::coarse_sum_atomics(),
           GlobalAtomics(evidence.result) <= limits.atomics ? say::coarse_sum_shared_atomics_step()
                                                            : say::coarse_sum_global_atomics_step());
    const ArrayTraffic of_input = TrafficOf(evidence.result, "input");
    const std::size_t bytes = length * sizeof(float);
    refuse(
        of_input.load_sectors, limits.load_sectors, say::coarse_sum_sectors(),
        of_input.load_bytes > bytes ? say::coarse_sum_loaded_again_step() : say::coarse_sum_sectors_step());
    refuse(BytesLoaded(counts), 6 * length, say::coarse_sum_bytes(),
           say::coarse_sum_bytes_step(of_input.load_bytes, bytes));
  }

  /// The bound of reference/matmul.h: a sum of n terms is an inner product with ones, less the
  /// multiplications.
  static void Compare(Evidence& evidence) {
    double sum = 0, magnitude = 0;
    for (const float value : evidence.input) {
      sum += static_cast<double>(value);
      magnitude += std::abs(static_cast<double>(value));
    }
    const std::size_t n = evidence.input.size();
    const bool exact = evidence.is_exact || n == 0;
    const double bound =
        exact ? 0 : (reference::Gamma(n, 0x1p-24) + reference::Gamma(n, 0x1p-53)) * magnitude;
    AddComparison(evidence.result,
                  CompareFloats(evidence.value, std::vector{sum}, std::vector{bound},
                                [](std::size_t) { return std::string("*output"); }),
                  "output");
  }

  static void CheckIntegers(const Message& title, std::size_t length) {
    RandomValues random = TestRandom();
    Record(Call(title, SmallIntegers(random, length), true));
  }

  static void Record(Evidence evidence) {
    RecordResult(evidence.result);
    AllEvidence().push_back(std::move(evidence));
  }
};

TEST_F(CoarsenedReduction, NothingToAdd) {
  CheckIntegers(say::coarse_sum_of_nothing(), 0);
}

TEST_F(CoarsenedReduction, OneElement) {
  CheckIntegers(say::coarse_sum_of_one(), 1);
}

TEST_F(CoarsenedReduction, LessThanAWarp) {
  CheckIntegers(say::coarse_sum_below_a_warp(31), 31);
}

TEST_F(CoarsenedReduction, OneElementAThread) {
  CheckIntegers(say::coarse_sum_one_each(256), 256);
}

TEST_F(CoarsenedReduction, SecondElementOfOneThread) {
  CheckIntegers(say::coarse_sum_one_has_two(257), 257);
}

TEST_F(CoarsenedReduction, LastElementOfASegmentIsMissing) {
  CheckIntegers(say::coarse_sum_below_a_segment(2047), 2047);
}

TEST_F(CoarsenedReduction, ExactlyOneSegment) {
  CheckIntegers(say::coarse_sum_one_segment(2048), 2048);
}

TEST_F(CoarsenedReduction, LastSegmentHasOneElement) {
  CheckIntegers(say::coarse_sum_second_segment(2049), 2049);
}

TEST_F(CoarsenedReduction, SegmentsDoNotOverlap) {
  CheckIntegers(say::coarse_sum_each_once(10'007), 10'007);
}

/// A block of a grid that is bounded by a number has several segments, one after another.
TEST_F(CoarsenedReduction, ManySegments) {
  CheckIntegers(say::coarse_sum_many_segments(600'011, 2048), 600'011);
}

TEST_F(CoarsenedReduction, AnyLength) {
  RandomValues random = TestRandom();
  const std::size_t length = 2050 + random.Below(8000);
  Record(Call(say::coarse_sum_any_length(length), SignedValues(random, length), false));
}

TEST_F(CoarsenedReduction, LargeAndSmallValues) {
  RandomValues random = TestRandom();
  Record(Call(say::coarse_sum_wide_values(3001, 4000), WideValues(random, 3001), false));
}

/// The limits and their derivation are at LimitsOf. Asked of a length that blocks divide, and of one that
/// nobody knows beforehand.
TEST_F(CoarsenedReduction, PriceIsPaidOnceForEightElements) {
  RandomValues random = TestRandom();
  Evidence evidence =
      Call(say::coarse_sum_counted(kCountedLength), SmallIntegers(random, kCountedLength), true);
  GradeCounts(evidence);
  if (evidence.result.verdict == Verdict::kPassed) {
    const std::size_t length = kCountedLength + 1 + random.Below(kCountedLength / 2);
    Evidence other = Call("", SmallIntegers(random, length), true);
    GradeCounts(other);
    AddVerdict(evidence.result, other.result.verdict, say::coarse_sum_at_length(length, other.result.reason),
               other.result.next_step);
  }
  BrokenLimits().Tell("counts", evidence.result);
  Record(std::move(evidence));
}

std::string ForLongInputs(const std::string& limit) {
  return "For a long input: " + limit;
}

const bool graded = GradedBy(
    {.shared = KernelGrading(),
     .header = {"*output is right for every length. Floats may be added in any order.",
                ForLongInputs("at most n / 8 + 1024 threads are launched."),
                ForLongInputs("warps arrive at barriers at most 352 x (n / 8192 + 1) times. (A block of 1024 "
                              "threads needs 352: 32 warps x 11 barriers. Several smaller blocks together "
                              "need fewer. The + 1 is for a block that adds up the others' sums.)"),
                ForLongInputs("at most n / 256 + 16 atomic additions are executed."),
                ForLongInputs("loads from input fetch at most 5 sectors of 32 bytes per 32 elements.")},
     .page = {"If length is 0, cudaMemset may store the zero.",
              "The kernels load each element at least once.",
              "The kernels do at least length - 1 operations.",
              "The contract's limit on atomic additions also covers those to shared memory.",
              ForLongInputs("threads load at most 6 x length bytes in all."),
              ForLongInputs("threads do at most 4 x length operations in all."),
              ForLongInputs("in all, warps execute at most length / 4 instructions that add or multiply "
                            "floats.")}});

LinearProbe ProbeOf(std::size_t length) {
  const auto place = [](std::size_t i) { return "[" + std::to_string(i) + "]"; };
  LinearProbe probe;
  probe.contract = {say::reduction_call(length),
                    "input",
                    "*output",
                    length,
                    place,
                    [](std::size_t) { return std::string(); },
                    [length](std::size_t) {
                      std::vector<ElementIndex> all(length);
                      for (std::size_t i = 0; i < length; ++i) all[i] = static_cast<ElementIndex>(i);
                      return all;
                    }};
  probe.output_count = 1;
  probe.entry = [length](Worker& worker, DevicePointer input, DevicePointer output,
                         std::span<const DevicePointer> /*kept*/) {
    return worker.Call(input, output, static_cast<int>(length));
  };
  return probe;
}

/// A few, more than a block has threads, and more than one segment of 2048.
std::vector<Explained> Explain() {
  std::vector<LinearTest> tests;
  for (const Evidence& e : AllEvidence()) {
    LinearTest& test = tests.emplace_back(e.test, &e.result);
    if (!e.input.empty()) test.probe = ProbeOf(e.input.size());
  }
  std::vector<LinearProbe> probes;
  for (const std::size_t length : {3, 300, 2085, 4500}) probes.push_back(ProbeOf(length));
  std::vector<Explained> found = ExplainLinearCalls(tests, probes);
  if (const Message mistake = MistakeInSums(AllEvidence()); !mistake.empty() && !found.empty()) {
    found.front().advice = mistake;
    found.front().explanation.facts = {mistake};
  }
  return found;
}

const bool explains = ExplainWith(Explain);

const bool states_facts = StateFactsWith([] { return FactsOf(AllEvidence()); });

const bool timed = TimeWith(coarsening::TimedReductions);

}  // namespace
}  // namespace warplings::coarsened_reduction
