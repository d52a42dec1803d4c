// SPDX-License-Identifier: Apache-2.0
//
// Judges chapter 4's off_the_cliff: values, what ptxas gave the kernels, and what the launch asks for.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "chapters/04_occupancy/off_the_cliff.h"
#include "grader/suite/device_work.h"
#include "grader/suite/evidence.h"
#include "grader/suite/judge.h"
#include "grader/suite/product_values.h"
#include "reference/normalise.h"
#include "tests/chapters/04_occupancy/off_the_cliff_evidence.h"
#include "tests/chapters/common/explain_linear.h"

namespace warplings::off_the_cliff {
namespace {

std::vector<Evidence>& AllEvidence() {
  static std::vector<Evidence> all;
  return all;
}

const char* const kNeverLaunched = "This call does not launch that kernel: is it still needed?";

class OffTheCliff : public testing::Test {
 public:
  static std::string WordsOf(const std::string& formula) {
    return "our values are those of " + formula + ". Write it beside the contract's formula.";
  }

 protected:
  /// One call on samples whose values lie around `middle`. `spread` 0: all features of a sample alike.
  Evidence Call(const std::string& title, int samples, float middle = 0, float spread = 1) {
    RandomValues random = TestRandom();
    const auto n = static_cast<std::size_t>(samples);
    std::vector<float> x = SignedValues(random, kFeatures * n);
    for (float& value : x) value = middle + spread * value;
    Evidence e;
    e.test = testing::UnitTest::GetInstance()->current_test_info()->name();
    e.samples = samples;
    e.far_from_zero = std::fabs(middle) > 100 * spread;
    const std::uint64_t budget = 1'000'000 + 10'000 * n;
    const CallReport report = Session().Call(
        {InputArray("x", x), OutputArray<float>("y", x.size())}, budget,
        [&](Worker& worker, std::span<const DevicePointer> p) { return worker.Call(p[0], p[1], samples); });
    e.result = ResultOf(title, report);
    if (report.contents.size() != 2) return e;
    const reference::Bounded expected = reference::Normalise(x, kFeatures, n, 1e-6);
    const auto where = [n](std::size_t i) {
      return "feature " + std::to_string(i / n) + " of sample " + std::to_string(i % n);
    };
    const std::vector<float> y = ValuesOf<float>(report.contents[1]);
    AddComparison(e.result, CompareFloats(y, expected.value, expected.bound, where), "y");
    if (e.result.wrong_count > 0 && e.result.verdict == Verdict::kWrongResult) {
      e.formula = FormulaOf(x, y, n);
      if (const std::string fact = FactOf(e, x, y, expected); !fact.empty()) e.result.next_step = fact;
    }
    RequireDeviceWork(e.result, report, WorkOf(n));
    CheckTraffic(e);
    TestResult graded = e.result;
    RequireFullMultiprocessor(e, graded);
    BrokenLimits().Note("occupancy", e.result, graded);
    return e;
  }

  static void RequireFullMultiprocessor(const Evidence& e, TestResult& result) {
    for (const LaunchRecord& launch : e.result.launches) {
      const double occupancy = OccupancyOf(launch);
      if (occupancy >= 1) continue;
      AddVerdict(result, Verdict::kWrongResult,
                 "occupancy " + OneDecimal(100 * occupancy) + " % with blocks of " +
                     std::to_string(launch.block.Volume()) + " threads, " + std::to_string(launch.registers) +
                     " registers a thread and " +
                     std::to_string(launch.static_shared_bytes + launch.dynamic_shared_bytes) +
                     " bytes of shared memory a block",
                 "What is the limit: threads, registers, shared memory, or blocks?");
    }
  }

  /// What the values follow instead; or which of them are wrong. Of a single sample each wrong root makes one
  /// factor for all.
  static std::string FactOf(const Evidence& e, const std::vector<float>& x, const std::vector<float>& y,
                            const reference::Bounded& expected) {
    if (!e.formula.empty()) return "Y" + WordsOf(e.formula);
    if (const double factor = CommonFactor(y, expected.value); factor != 0 && e.samples > 1) {
      char text[32];
      std::snprintf(text, sizeof text, "%.4g", factor);
      return std::string("Every value is ") + text +
             " times the right one, the same factor for all: what is everything divided by, or multiplied "
             "with, and what does the contract say there?";
    }
    const auto samples = static_cast<std::size_t>(e.samples);
    std::vector<bool> is_wrong;
    for (std::size_t i = 0; i < y.size(); ++i)
      is_wrong.push_back(IsWrong(y[i], expected.value[i], expected.bound[i]));
    const auto first = static_cast<std::size_t>(std::ranges::find(is_wrong, true) - is_wrong.begin());
    const bool stored = std::ranges::none_of(y, IsPoison);
    const SampleWords sample = stored ? SampleFact(x, y, samples, first % samples) : SampleWords{};
    if (sample.is_of_all) is_wrong = BySample(is_wrong, samples);
    if (sample.text.empty()) return PlacesFact("y", kFeatures, e.samples, y, is_wrong);
    const std::string edge = EdgeFact("y", kFeatures, e.samples, y, is_wrong);
    return sample.text + (edge.empty() ? "" : " ") + edge;
  }

  /// All values of a sample are wrong where one is: by chance some come out near the right ones.
  static std::vector<bool> BySample(std::vector<bool> is_wrong, std::size_t samples) {
    for (std::size_t sample = 0; sample < samples; ++sample) {
      bool any = false;
      for (std::size_t i = sample; i < is_wrong.size(); i += samples) any = any || is_wrong[i];
      for (std::size_t i = sample; i < is_wrong.size(); i += samples) is_wrong[i] = any;
    }
    return is_wrong;
  }

  /// Three operations for each feature: into the mean, into the variance, into y. 1024 threads fill half of a
  /// multiprocessor; a warp that has more than 64 samples works for others.
  static DeviceWork WorkOf(std::size_t samples) {
    DeviceWork work;
    work.output = "y";
    work.least_flops = 3 * kFeatures * samples;
    work.least_bytes = kFeatures * samples * sizeof(float);
    work.least_threads = std::min<std::size_t>(samples, 1024);
    work.most_of_a_warp = 100'000;
    return work;
  }

  /// Three fetches are a pass for the mean, one for the variance, one for y; two stores let y hold x - mean
  /// for a while.
  static void CheckTraffic(Evidence& e) {
    if (e.result.verdict != Verdict::kPassed) return;
    const double elements = double{kFeatures} * e.samples;
    const double loads = static_cast<double>(BytesLoaded(TotalCounts(e.result))) / (elements * sizeof(float));
    const double stores =
        static_cast<double>(TrafficOf(e.result, "y").store_bytes) / (elements * sizeof(float));
    if (Fetches(e) > 3 || stores > 2) {
      AddVerdict(e.result, Verdict::kWrongResult,
                 "each element of x is fetched " + OneDecimal(Fetches(e)) + " times, each of y stored " +
                     OneDecimal(stores) + " times",
                 "How many passes over a sample's values does the formula need?");
    } else if (loads > 4) {
      AddVerdict(e.result, Verdict::kWrongResult,
                 "all loads together are " + OneDecimal(loads) + " for each element; at most 4 are allowed",
                 "Of these, " + OneDecimal(Fetches(e)) +
                     " are of x: which are the others, and what of that could stay in a register?");
    }
  }

  static void Record(Evidence e) {
    RecordResult(e.result);
    AllEvidence().push_back(std::move(e));
  }
};

/// The formula, where the first test with wrong values is too small to show it.
std::vector<Explained> ExplainFormula() {
  const Evidence* with = WithTheOneFormula(AllEvidence());
  const auto wrong = std::ranges::find_if(AllEvidence(), [](const Evidence& e) {
    return e.result.wrong_count > 0 && e.result.verdict == Verdict::kWrongResult;
  });
  if (with == nullptr || wrong == AllEvidence().end() || !wrong->formula.empty()) return {};
  const std::string samples = std::to_string(with->samples) + " samples";
  return {{FullNameOf(wrong->test), {}, "With " + samples + ", y" + OffTheCliff::WordsOf(with->formula)}};
}

const bool explains = ExplainWith(ExplainFormula);

TEST_F(OffTheCliff, OneSample) {
  Record(Call("a single sample", 1));
}

TEST_F(OffTheCliff, LastBlockIsNotFull) {
  Record(Call("257 samples", 257));
}

TEST_F(OffTheCliff, ManyBlocks) {
  Record(Call("2048 samples", 2048));
}

TEST_F(OffTheCliff, AnyNumberOfSamples) {
  RandomValues random(SeedOfTest(Session().seed(), "OffTheCliff.AnyNumberOfSamples.samples"));
  const int samples = 2 + static_cast<int>(random.Below(900));
  Record(Call(std::to_string(samples) + " samples, a random number", samples));
}

TEST_F(OffTheCliff, FarFromZero) {
  Record(Call("300 samples whose means are 1000 times their deviations", 300, 1000));
}

TEST_F(OffTheCliff, SmallDeviations) {
  Record(Call("300 samples with deviations of about 0.001, where 1e-6 matters", 300, 0, 0.001f));
}

/// 32 is 65,536 registers over 2048 threads.
TEST_F(OffTheCliff, RegistersForFullOccupancy) {
  Evidence e = Call("no kernel needs more than 32 registers", 512);
  RequireKnownResources(e.result, Session().resources());
  for (const KernelResources& kernel : Session().resources()) {
    if (kernel.registers <= 32) continue;
    AddVerdict(e.result, Verdict::kWrongResult,
               kernel.kernel + " needs " + std::to_string(kernel.registers) + " registers a thread",
               IsLaunched(kernel, std::span(&e, 1))
                   ? "Which values are alive at the same time, and must all of them be?"
                   : kNeverLaunched);
  }
  Record(std::move(e));
}

TEST_F(OffTheCliff, NothingIsSpilled) {
  Evidence e = Call("no kernel keeps anything in local memory", 512);
  RequireKnownResources(e.result, Session().resources());
  for (const KernelResources& kernel : Session().resources()) {
    if (kernel.local_bytes == 0) continue;
    AddVerdict(
        e.result, Verdict::kWrongResult,
        kernel.kernel + " keeps " + std::to_string(kernel.local_bytes) + " bytes a thread in local memory",
        IsLaunched(kernel, std::span(&e, 1)) ? "Local memory lies where global memory lies. Which values are "
                                               "there, and why has the compiler no "
                                               "register for them?"
                                             : kNeverLaunched);
  }
  Record(std::move(e));
}

TEST_F(OffTheCliff, TheMultiprocessorIsFull) {
  Evidence e = Call("an A100's multiprocessor is full of the launch's blocks", 4096);
  RequireFullMultiprocessor(e, e.result);
  BrokenLimits().Tell("occupancy", e.result);
  Record(std::move(e));
}

TEST_F(OffTheCliff, MemoryTrafficStaysInBounds) {
  Record(Call("x is fetched at most three times, y stored at most twice", 1024));
}

const bool graded = GradedBy(
    GradedWork("y", false),
    {"At least n threads, or 1024 where n is more, store elements of y, and no warp executes more than "
     "100000 instructions.",
     "The kernels load each element of x at least once, and do at least three floating-point operations for "
     "it.",
     "No kernel needs more than 32 registers a thread, and none keeps anything in local memory (no spills).",
     "A multiprocessor with 2048 thread slots, 65,536 registers and 164 KB (an A100's) is full of each "
     "launch's blocks.",
     "Each element of x is fetched at most three times, and each element of y stored at most twice; all "
     "loads together are at most four for each element."});

const bool recognises = RecogniseWith([] { return Recognise(AllEvidence(), Session().resources()); });

}  // namespace
}  // namespace warplings::off_the_cliff
