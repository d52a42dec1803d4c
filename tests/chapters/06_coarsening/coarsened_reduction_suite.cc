// SPDX-License-Identifier: Apache-2.0
//
// Judges chapter 6's coarsened_reduction. Each test is one call of the submission's function on fresh inputs;
// its name says what a student may have misunderstood, its title says it in words.

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <utility>

#include "grader/suite/device_work.h"
#include "grader/suite/evidence.h"
#include "grader/suite/judge.h"
#include "reference/matmul.h"
#include "tests/chapters/06_coarsening/coarsened_reduction_evidence.h"
#include "tests/chapters/06_coarsening/timed_reduction.h"
#include "tests/chapters/common/explain_linear.h"

namespace warplings::coarsened_reduction {
namespace {

/// What all tests saw, for Recognise.
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
  static Evidence Call(const std::string& title, std::vector<float> input, bool is_exact) {
    const auto length = static_cast<int>(input.size());
    const CallReport report =
        Session().Call({InputArray("input", input), OutputArray<float>("output", 1)}, Budget(input.size()),
                       [length](Worker& worker, std::span<const DevicePointer> p) {
                         return worker.Call(p[0], p[1], length);
                       });

    Evidence evidence;
    evidence.test = testing::UnitTest::GetInstance()->current_test_info()->name();
    evidence.result = ResultOf(title, report);
    evidence.is_exact = is_exact;
    evidence.input = std::move(input);
    if (report.contents.size() != 2) return evidence;
    evidence.value = ValuesOf<float>(report.contents[1]);
    Compare(evidence);
    RequireDeviceWork(evidence.result, report, WorkOf(evidence.input.size()));
    AskForMoreThreads(evidence.result);
    if (evidence.input.size() >= kCountedLength) {
      Evidence graded = evidence;
      GradeCounts(graded);
      BrokenLimits().Note("counts", evidence.result, graded.result);
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
    result.next_step =
        "The launch has one block of one thread, which adds up everything alone. How many elements should "
        "one thread have, and how many threads and blocks does this length need then?";
  }

  /// Adds what a call on a long array does beyond the contract's limits.
  static void GradeCounts(Evidence& evidence) {
    const std::size_t length = evidence.input.size();
    const Limits limits = LimitsOf(static_cast<int>(length));
    const Counts counts = TotalCounts(evidence.result);
    const auto refuse = [&](std::uint64_t count, std::uint64_t limit, const std::string& what,
                            const std::string& next_step) {
      if (count <= limit) return;
      AddVerdict(evidence.result, Verdict::kWrongResult,
                 std::to_string(count) + " " + what + ", and a coarsened kernel needs at most " +
                     std::to_string(limit),
                 next_step);
    };
    // Additions beyond the limit are a consequence.
    if (evidence.result.wrong_count == 0 && evidence.result.verdict == Verdict::kWrongResult &&
        Threads(evidence.result) > limits.threads) {
      evidence.result.verdict = Verdict::kPassed;
    }
    refuse(Threads(evidence.result), limits.threads, "threads for " + std::to_string(length) + " elements",
           "How many elements does a thread of yours add up, how many threads does that need for " +
               std::to_string(length) + " elements, and which line decides how many there are?");
    refuse(counts.barriers, limits.barriers, "arrivals of warps at a barrier",
           "Count the barriers that one block passes, and the elements that it adds up: after which of them "
           "does a thread read what another one has stored?");
    refuse(
        counts.atomics, limits.atomics, "atomic additions",
        GlobalAtomics(evidence.result) <= limits.atomics
            ? "Those in shared memory count, too: threads that add to one place there wait for each other. "
              "Add up pairs of sums instead, and half as many pairs in each step."
            : "How many threads of a block add to global memory, and for how many elements each? The threads "
              "of "
              "a block can add up their sums among themselves first, so that one of them adds for all.");
    refuse(TrafficOf(evidence.result, "input").load_sectors, limits.load_sectors,
           "sectors of 32 bytes of the input loaded",
           TrafficOf(evidence.result, "input").load_bytes > length * sizeof(float)
               ? "The bytes loaded of the input are more than it has: which elements are loaded more than "
                 "once, and by which lines?"
               : "Write down which elements threads 0, 1 and 2 of a warp load at once.");
    refuse(BytesLoaded(counts), 6 * length, "bytes loaded in all",
           "Of these, " + std::to_string(TrafficOf(evidence.result, "input").load_bytes) +
               " bytes are of the input, which has " + std::to_string(length * sizeof(float)) +
               ": what is loaded besides, or more than once?");
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

  static void CheckIntegers(const std::string& title, std::size_t length) {
    RandomValues random = TestRandom();
    Record(Call(title, SmallIntegers(random, length), true));
  }

  static void Record(Evidence evidence) {
    RecordResult(evidence.result);
    AllEvidence().push_back(std::move(evidence));
  }
};

TEST_F(CoarsenedReduction, NothingToAdd) {
  CheckIntegers("no elements: the sum is 0", 0);
}

TEST_F(CoarsenedReduction, OneElement) {
  CheckIntegers("1 element: every other thread has nothing", 1);
}

TEST_F(CoarsenedReduction, LessThanAWarp) {
  CheckIntegers("31 elements, one less than a warp", 31);
}

TEST_F(CoarsenedReduction, OneElementAThread) {
  CheckIntegers("256 elements: each thread of a block has its first, and no other", 256);
}

TEST_F(CoarsenedReduction, SecondElementOfOneThread) {
  CheckIntegers("257 elements: one thread has a second one", 257);
}

TEST_F(CoarsenedReduction, LastElementOfASegmentIsMissing) {
  CheckIntegers("2047 elements, one less than a block of 256 threads with 8 each", 2047);
}

TEST_F(CoarsenedReduction, ExactlyOneSegment) {
  CheckIntegers("2048 elements, exactly a block of 256 threads with 8 each", 2048);
}

TEST_F(CoarsenedReduction, LastSegmentHasOneElement) {
  CheckIntegers("2049 elements: a second block for one of them", 2049);
}

TEST_F(CoarsenedReduction, SegmentsDoNotOverlap) {
  CheckIntegers("10007 elements, a prime: each is added once", 10007);
}

/// A block of a grid that is bounded by a number has several segments, one after another.
TEST_F(CoarsenedReduction, ManySegments) {
  CheckIntegers("600011 elements: 293 times 2048, the last time not all", 600'011);
}

TEST_F(CoarsenedReduction, AnyLength) {
  RandomValues random = TestRandom();
  const std::size_t length = 2050 + random.Below(8000);
  Record(Call("a random length: " + std::to_string(length), SignedValues(random, length), false));
}

TEST_F(CoarsenedReduction, LargeAndSmallValues) {
  RandomValues random = TestRandom();
  Record(Call("3001 values from 0.0002 to 4000", WideValues(random, 3001), false));
}

/// The limits and their derivation are at LimitsOf. Asked of a length that blocks divide, and of one that
/// nobody knows beforehand.
TEST_F(CoarsenedReduction, PriceIsPaidOnceForEightElements) {
  RandomValues random = TestRandom();
  Evidence evidence = Call("65536 elements: a thread adds up eight of them before the tree begins",
                           SmallIntegers(random, kCountedLength), true);
  GradeCounts(evidence);
  if (evidence.result.verdict == Verdict::kPassed) {
    const std::size_t length = kCountedLength + 1 + random.Below(kCountedLength / 2);
    Evidence other = Call("", SmallIntegers(random, length), true);
    GradeCounts(other);
    AddVerdict(evidence.result, other.result.verdict,
               std::to_string(length) + " elements: " + other.result.reason, other.result.next_step);
  }
  BrokenLimits().Tell("counts", evidence.result);
  Record(std::move(evidence));
}

const bool graded =
    GradedBy(GradedWork("output", false),
             {"Where length is 0, cudaMemset may store the zero.",
              "The kernels load each element at least once, and do at least length - 1 additions.",
              "From length 65,536 on: at most length / 8 + 1024 threads; 44 arrivals of warps at a barrier "
              "for 1024 elements; one atomic addition for 256 elements and 16 more; 5 / 32 sectors of the "
              "input for each element; 6 bytes loaded in all for each element; 4 additions of threads for "
              "each element; and one warp instruction that adds for 4 elements."});

LinearProbe ProbeOf(std::size_t length) {
  const auto place = [](std::size_t i) { return "[" + std::to_string(i) + "]"; };
  LinearProbe probe;
  probe.contract = {"length " + std::to_string(length),
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
  probe.entry = [length](Worker& worker, DevicePointer input, DevicePointer output) {
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
  return ExplainLinearCalls(tests, probes);
}

const bool names_what_is_left = NameWhatIsLeftBehind("kept_between_calls");

const bool explains = ExplainWith(Explain);

const bool recognises = RecogniseWith([] { return Recognise(AllEvidence()); });

const bool timed = TimeWith(coarsening::TimedReductions);

}  // namespace
}  // namespace warplings::coarsened_reduction
