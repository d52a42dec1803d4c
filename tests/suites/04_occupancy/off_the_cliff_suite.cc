// SPDX-License-Identifier: Apache-2.0
//
// Judges chapter 4's off_the_cliff: values, what ptxas gave the kernels, and what the launch asks for.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "chapters/04_occupancy/off_the_cliff.h"
#include "grader/messages/joining.h"
#include "grader/messages/product_facts.h"
#include "grader/suite/device_work.h"
#include "grader/suite/evidence.h"
#include "grader/suite/judge.h"
#include "grader/suite/product_values.h"
#include "reference/normalise.h"
#include "tests/suites/04_occupancy/messages.h"
#include "tests/suites/04_occupancy/off_the_cliff_evidence.h"
#include "tests/suites/common/explain_linear.h"

namespace warplings::off_the_cliff {
namespace {

std::vector<Evidence>& AllEvidence() {
  static std::vector<Evidence> all;
  return all;
}

/// What the values are instead, and to compare that with the contract: unless it says already what to change,
/// or where the right values are.
Message Stated(const Message& formula) {
  const bool says_what_to_do = say::cliff_mean_before.Made(formula) || say::cliff_mean_after.Made(formula) ||
                               say::cliff_y_transposed.Made(formula);
  return says_what_to_do ? formula : say::cliff_values_of(formula);
}

class OffTheCliff : public testing::Test {
 protected:
  /// One call on samples whose values lie around `middle`. `spread` 0: all features of a sample alike.
  Evidence Call(const Message& title, int samples, float middle = 0, float spread = 1) {
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
        {InputArray("x", x, OtherElements::AnyValue()), OutputArray<float>("y", x.size())}, budget,
        [&](Worker& worker, std::span<const DevicePointer> p) { return worker.Call(p[0], p[1], samples); });
    e.result = ResultOf(title, report);
    if (report.contents.size() != 2) return e;
    const reference::Bounded expected = reference::Normalise(x, kFeatures, n, 1e-6);
    const auto where = [n](std::size_t i) { return say::cliff_element(i / n, i % n); };
    const std::vector<float> y = ValuesOf<float>(report.contents[1]);
    AddComparison(e.result, CompareFloats(y, expected.value, expected.bound, where), "y");
    if (e.result.wrong_count > 0 && e.result.verdict == Verdict::kWrongResult) {
      e.without_formula = FactOf(e, x, y, expected);
      e.formula = FormulaOf(x, y, n);
      e.fits_no_formula = e.formula.empty() && FitsNoFormula(x, y, n);
      if (const Message fact = FactOf(e, x, y, expected); !fact.empty()) e.result.next_step = fact;
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
      AddVerdict(
          result, Verdict::kWrongResult,
          say::cliff_occupancy(say::Decimal(100 * occupancy, 1), say::Count(launch.block.Volume(), "thread"),
                               say::Count(launch.registers, "register"),
                               say::Count(launch.static_shared_bytes + launch.dynamic_shared_bytes, "byte")),
          say::cliff_which_limit());
    }
  }

  /// What the values follow instead; or which of them are wrong. Of a single sample each wrong root makes one
  /// factor for all.
  static Message FactOf(const Evidence& e, const std::vector<float>& x, const std::vector<float>& y,
                        const reference::Bounded& expected) {
    if (!e.formula.empty()) return Stated(e.formula);
    if (const double factor = CommonFactor(y, expected.value); factor != 0 && e.samples > 1)
      return say::cliff_one_factor(FourDigits(factor));
    const auto samples = static_cast<std::size_t>(e.samples);
    std::vector<bool> is_wrong;
    for (std::size_t i = 0; i < y.size(); ++i)
      is_wrong.push_back(IsWrong(y[i], expected.value[i], expected.bound[i]));
    const auto first = static_cast<std::size_t>(std::ranges::find(is_wrong, true) - is_wrong.begin());
    const bool stored = std::ranges::none_of(y, IsPoison);
    const SampleWords sample = stored ? SampleFact(x, y, samples, first % samples) : SampleWords{};
    if (sample.is_of_all) is_wrong = BySample(is_wrong, samples);
    if (sample.text.empty()) return PlacesFact("y", kFeatures, e.samples, y, is_wrong);
    const Message right = RightOnes(is_wrong, samples, say::cliff_not_alike.Made(sample.text));
    if (right.empty()) return sample.text;
    // A thread's next sample, perhaps: what it has summed up for the one before is the first thought then.
    if (say::cliff_samples_right.Made(right) && say::both.Made(sample.text))
      return say::both(right,
                       say::both(sample.text.arguments().front().inner.front(), say::cliff_kept_before()));
    return say::both(right, sample.text);
  }

  /// The samples before the first wrong one, or the features, where all that follow are wrong.
  static Message RightOnes(const std::vector<bool>& is_wrong, std::size_t samples, bool with_features) {
    std::size_t sample = samples, feature = kFeatures;
    for (std::size_t i = 0; i < is_wrong.size(); ++i) {
      if (!is_wrong[i]) continue;
      sample = std::min(sample, i % samples);
      feature = std::min(feature, i / samples);
    }
    bool by_sample = sample > 0, by_feature = with_features && feature > 1;
    for (std::size_t i = 0; i < is_wrong.size(); ++i) {
      by_sample = by_sample && is_wrong[i] == (i % samples >= sample);
      by_feature = by_feature && is_wrong[i] == (i / samples >= feature);
    }
    if (by_sample)
      return sample == 1 ? say::cliff_sample_0_right() : say::cliff_samples_right({0, sample - 1});
    return by_feature ? say::cliff_features_right({0, feature - 1}) : Message();
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
                 say::cliff_fetches(say::Decimal(Fetches(e), 1), say::Decimal(stores, 1)),
                 say::cliff_which_passes());
    } else if (loads > 4) {
      AddVerdict(e.result, Verdict::kWrongResult, say::cliff_loads(say::Decimal(loads, 1)),
                 say::cliff_other_loads(say::Decimal(Fetches(e), 1)));
    }
  }

  static void Record(Evidence e) {
    RecordResult(e.result);
    AllEvidence().push_back(std::move(e));
  }
};

/// The formula, where the first test with wrong values is too small to show it. Where a formula fits some
/// tests only, it is not the one that was written, and they say what else their values show.
std::vector<Explained> ExplainFormula() {
  const Evidence* with = WithTheOneFormula(AllEvidence());
  std::vector<Explained> otherwise;
  for (const Evidence& e : AllEvidence()) {
    if (with != nullptr || e.formula.empty() || e.without_formula.empty()) continue;
    otherwise.push_back({FullNameOf(e.test), {}, e.without_formula});
  }
  if (!otherwise.empty()) return otherwise;
  const auto wrong = std::ranges::find_if(AllEvidence(), [](const Evidence& e) {
    return e.result.wrong_count > 0 && e.result.verdict == Verdict::kWrongResult;
  });
  if (with == nullptr || wrong == AllEvidence().end() || !wrong->formula.empty()) return {};
  return {{FullNameOf(wrong->test), {}, Stated(with->formula)}};
}

const bool explains = ExplainWith(ExplainFormula);

TEST_F(OffTheCliff, OneSample) {
  Record(Call(say::cliff_one_sample(), 1));
}

TEST_F(OffTheCliff, LastBlockIsNotFull) {
  Record(Call(say::cliff_samples(257), 257));
}

TEST_F(OffTheCliff, ManyBlocks) {
  Record(Call(say::cliff_samples(2048), 2048));
}

TEST_F(OffTheCliff, AnyNumberOfSamples) {
  RandomValues random(SeedOfTest(Session().seed(), "OffTheCliff.AnyNumberOfSamples.samples"));
  const int samples = 2 + static_cast<int>(random.Below(900));
  Record(Call(say::cliff_random_samples(samples), samples));
}

TEST_F(OffTheCliff, FarFromZero) {
  Record(Call(say::cliff_far_from_zero(1000), 300, 1000));
}

TEST_F(OffTheCliff, SmallDeviations) {
  Record(Call(say::cliff_small_deviations(), 300, 0, 0.001f));
}

/// 32 is 65,536 registers over 2048 threads.
TEST_F(OffTheCliff, RegistersForFullOccupancy) {
  Evidence e = Call(say::cliff_few_registers(), 512);
  RequireKnownResources(e.result, Session().resources());
  for (const KernelResources& kernel : Session().resources()) {
    if (kernel.registers <= 32) continue;
    AddVerdict(e.result, Verdict::kWrongResult, say::cliff_registers(kernel.kernel, kernel.registers),
               IsLaunched(kernel, std::span(&e, 1)) ? say::cliff_alive_together()
                                                    : say::cliff_never_launched(kernel.kernel));
  }
  Record(std::move(e));
}

TEST_F(OffTheCliff, NothingIsSpilled) {
  Evidence e = Call(say::cliff_nothing_spilled(), 512);
  RequireKnownResources(e.result, Session().resources());
  for (const KernelResources& kernel : Session().resources()) {
    if (kernel.local_bytes == 0) continue;
    AddVerdict(e.result, Verdict::kWrongResult, say::cliff_local(kernel.kernel, kernel.local_bytes),
               IsLaunched(kernel, std::span(&e, 1)) ? say::cliff_why_local()
                                                    : say::cliff_never_launched(kernel.kernel));
  }
  Record(std::move(e));
}

TEST_F(OffTheCliff, TheMultiprocessorIsFull) {
  Evidence e = Call(say::cliff_full(), 4096);
  RequireFullMultiprocessor(e, e.result);
  BrokenLimits().Tell("occupancy", e.result);
  Record(std::move(e));
}

TEST_F(OffTheCliff, MemoryTrafficStaysInBounds) {
  Record(Call(say::cliff_traffic(), 1024));
}

const bool graded = GradedBy(
    {.shared = KernelGrading(),
     .header = {"y is right for every n.", "No kernel needs more than 32 registers per thread.",
                "No kernel uses local memory. (Spilled registers go there, and so do many arrays that a "
                "thread declares.)",
                "Each launch allows 100% occupancy on an A100: with its block size, registers and shared "
                "memory, enough blocks fit on a multiprocessor to fill all 2048 thread slots.",
                "Each element of x is loaded at most three times.",
                "Each element of y is stored at most twice."},
     .page = {"The kernels load each element of x at least once.",
              "The kernels do at least three operations for each element of x.",
              "At least min(n, 1024) threads store elements of y.",
              "No warp executes more than 100000 instructions.", "Only kernels of your file are launched.",
              "Occupancy is computed for a multiprocessor with 2048 thread slots, 65,536 registers and 164 "
              "KB of shared memory.",
              "For each element of x, threads load at most four floats, other arrays included. (The contract "
              "allows three from x.)"}});

const bool states_facts = StateFactsWith([] { return FactsOf(AllEvidence(), Session().resources()); });

}  // namespace
}  // namespace warplings::off_the_cliff
