// SPDX-License-Identifier: Apache-2.0
#include "tests/suites/04_occupancy/off_the_cliff_evidence.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <vector>

#include "chapters/04_occupancy/off_the_cliff.h"
#include "grader/messages/joining.h"
#include "grader/suite/random_values.h"
#include "tests/suites/04_occupancy/messages.h"

namespace warplings::off_the_cliff {
namespace {

struct Seen {
  std::uint32_t registers = 26, local = 0, shared = 0;
  double fetches = 3;
  std::uint32_t threads = 128;
  bool wrong_far = false, wrong_near = false;
  std::uint32_t few = 0;         ///< Threads of a block where samples are few; 0: as many as else.
  std::uint32_t unlaunched = 0;  ///< Registers of a kernel that nobody launches; 0: there is none.
};

std::string IdOf(const Seen& seen) {
  std::vector<Evidence> all(2);
  for (Evidence& e : all) {
    e.samples = 100;
    LaunchRecord launch;
    launch.kernel = "normalise_kernel";
    launch.completed = true;
    launch.block = {&e == &all[0] && seen.few > 0 ? seen.few : seen.threads, 1, 1};
    launch.registers = seen.registers;
    launch.static_shared_bytes = seen.shared;
    launch.arrays = {{.label = "x", .load_bytes = static_cast<std::uint64_t>(seen.fetches * 32 * 100 * 4)}};
    e.result.launches = {launch};
  }
  all[0].test = "OneSample";
  all[1].test = kTestOfOccupancy;
  all[1].far_from_zero = true;
  all[0].result.wrong_count = seen.wrong_near ? 1 : 0;
  all[1].result.wrong_count = seen.wrong_far ? 1 : 0;
  KernelResources kernel;
  kernel.registers = seen.registers;
  kernel.local_bytes = seen.local;
  kernel.shared_bytes = seen.shared;
  std::vector<KernelResources> kernels = {kernel};
  kernels.back().kernel = "normalise_kernel";
  if (seen.unlaunched > 0) kernels.push_back({.kernel = "old_kernel", .registers = seen.unlaunched});
  const auto found = FactsOf(all, kernels);
  if (found.empty()) return "";
  EXPECT_EQ(found.size(), 1u);
  EXPECT_FALSE(found[0].message.empty());
  return found[0].id;
}

TEST(CommonFactor, IsFoundWhereAllValuesAreOffAlike) {
  const std::vector<double> expected = {1, -2, 0.5, 0.0001, 3};
  const auto times = [&](double factor) {
    std::vector<float> actual;
    for (const double value : expected) actual.push_back(static_cast<float>(factor * value));
    return actual;
  };
  EXPECT_NEAR(CommonFactor(times(0.984), expected), 0.984, 1e-6);
  EXPECT_NEAR(CommonFactor(times(-1), expected), -1, 1e-6);
  EXPECT_EQ(CommonFactor(times(1), expected), 0) << "right";
  EXPECT_EQ(CommonFactor({1, -2, 0.6f, 0, 3}, expected), 0) << "one is off";
  EXPECT_EQ(CommonFactor({NAN, -2, 0.5f, 0, 3}, expected), 0);
  EXPECT_EQ(CommonFactor({}, {}), 0);
}

/// Samples that are normalised with a variance which `variance_of` takes from a sample's features and their
/// mean.
Message FormulaWith(double (*variance_of)(const std::vector<double>& sample, double mean)) {
  constexpr std::size_t kSamples = 5;
  RandomValues random(4);
  const std::vector<float> x = SignedValues(random, kFeatures * kSamples);
  std::vector<float> y(x.size());
  for (std::size_t i = 0; i < kSamples; ++i) {
    std::vector<double> sample;
    double mean = 0;
    for (std::size_t f = 0; f < kFeatures; ++f) {
      sample.push_back(static_cast<double>(x[f * kSamples + i]));
      mean += sample.back() / kFeatures;
    }
    const double divisor = std::sqrt(variance_of(sample, mean) + 1e-6);
    for (std::size_t f = 0; f < kFeatures; ++f)
      y[f * kSamples + i] = static_cast<float>((sample[f] - mean) / divisor);
  }
  return FormulaOf(x, y, kSamples);
}

TEST(FormulaOf, NamesMeansThatDifferencesAreTakenFrom) {
  EXPECT_EQ(FormulaWith([](const std::vector<double>& sample, double) {
              double variance = 0;
              for (const std::size_t first : {std::size_t{0}, std::size_t{16}}) {
                double mean = 0;
                for (std::size_t f = first; f < first + 16; ++f) mean += sample[f] / 16;
                for (std::size_t f = first; f < first + 16; ++f)
                  variance += (sample[f] - mean) * (sample[f] - mean) / 32;
              }
              return variance;
            }),
            say::cliff_variance_of_halves());
  EXPECT_EQ(FormulaWith([](const std::vector<double>& sample, double) {
              double variance = 0, mean = 0;
              for (std::size_t f = 0; f < sample.size(); ++f) {
                variance += (sample[f] - mean) * (sample[f] - mean) / 32;
                mean += (sample[f] - mean) / static_cast<double>(f + 1);
              }
              return variance;
            }),
            say::cliff_mean_before());
  EXPECT_EQ(FormulaWith([](const std::vector<double>& sample, double mean) {
              double variance = 0;
              for (const double value : sample) variance += (value - mean) * (value - mean) / 32;
              return variance;
            }),
            Message())
      << "the right one";
}

TEST(FormulaOf, IsFoundFromTheValues) {
  constexpr std::size_t kSamples = 5;
  RandomValues random(4);
  std::vector<float> x = SignedValues(random, kFeatures * kSamples), y(x.size());
  const auto with = [&](auto formula) {
    for (std::size_t i = 0; i < kSamples; ++i) {
      double mean = 0, variance = 0;
      for (std::size_t f = 0; f < kFeatures; ++f)
        mean += static_cast<double>(x[f * kSamples + i]) / kFeatures;
      for (std::size_t f = 0; f < kFeatures; ++f)
        variance += std::pow(static_cast<double>(x[f * kSamples + i]) - mean, 2) / kFeatures;
      for (std::size_t f = 0; f < kFeatures; ++f) {
        const auto value = static_cast<double>(x[f * kSamples + i]);
        y[f * kSamples + i] = static_cast<float>(formula(value, mean, variance));
      }
    }
    return English(FormulaOf(x, y, kSamples));
  };
  EXPECT_EQ(with([](double v, double m, double) { return v - m; }),
            "Your values are x - mean: the division is missing.");
  EXPECT_EQ(with([](double v, double m, double s) { return (v - m) / (s + 1e-6); }),
            "Your values are (x - mean) / (variance + 1e-6): the root is missing.");
  EXPECT_EQ(with([](double v, double, double s) { return v / std::sqrt(s + 1e-6); }),
            "You do not subtract the mean: your values are x / sqrt(variance + 1e-6).");
  EXPECT_EQ(with([](double v, double m, double s) { return std::sin(v) * m + s; }), "") << "nobody's formula";
  // With deviations of 1 it does not show where the 1e-6 stands; with those of 0.001 it does.
  const auto outside = [](double v, double m, double s) { return (v - m) / (std::sqrt(s) + 1e-6); };
  EXPECT_EQ(with(outside), "");
  for (float& value : x) value *= 0.001f;
  EXPECT_EQ(with(outside),
            "You add 1e-6 outside the root: your values are (x - mean) / (sqrt(variance) + 1e-6).");
  EXPECT_EQ(with([](double v, double m, double s) { return (v - m) / std::sqrt(s + 1e-5); }),
            "You add 1e-5 instead of 1e-6: your values are (x - mean) / sqrt(variance + 1e-5).");
}

TEST(FormulaOf, KnowsWhichIndexIsTransposed) {
  constexpr std::size_t kSamples = 7;
  RandomValues random(4);
  const std::vector<float> x = SignedValues(random, kFeatures * kSamples);
  std::vector<float> y(x.size());
  const auto with = [&](bool x_transposed, bool y_transposed) {
    const auto place = [](bool transposed, std::size_t f, std::size_t i) {
      return transposed ? i * kFeatures + f : f * kSamples + i;
    };
    for (std::size_t i = 0; i < kSamples; ++i) {
      double mean = 0, variance = 0;
      const auto value = [&](std::size_t f) { return static_cast<double>(x[place(x_transposed, f, i)]); };
      for (std::size_t f = 0; f < kFeatures; ++f) mean += value(f) / kFeatures;
      for (std::size_t f = 0; f < kFeatures; ++f) variance += std::pow(value(f) - mean, 2) / kFeatures;
      for (std::size_t f = 0; f < kFeatures; ++f)
        y[place(y_transposed, f, i)] = static_cast<float>((value(f) - mean) / std::sqrt(variance + 1e-6));
    }
    return FormulaOf(x, y, kSamples);
  };
  EXPECT_EQ(with(true, false), say::cliff_x_transposed());
  EXPECT_EQ(with(false, true), say::cliff_y_transposed());
  EXPECT_EQ(with(true, true), say::cliff_of_neighbours());
}

TEST(OffTheCliffEvidence, ATransposedIndexIsAFactWhereAllTestsShowIt) {
  std::vector<Evidence> all(2);
  all[0].test = "LastBlockIsNotFull";
  all[0].formula = all[1].formula = say::cliff_x_transposed();
  const std::vector<Fact> found = FactsOf(all, {});
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].id, "cliff_x_transposed");
  all[1].formula = say::cliff_y_transposed();
  EXPECT_TRUE(FactsOf(all, {}).empty());
}

/// Behind the numbers.
bool Asks(const SampleWords& words, const MessageRow<>& question) {
  return say::both.Made(words.text) && question.Made(words.text.arguments().at(1).inner.at(0));
}

TEST(SampleFact, SaysWithWhatASampleWasNormalised) {
  std::vector<float> x, y;
  for (int f = 0; f < kFeatures; ++f) {
    x.push_back(static_cast<float>(f));
    y.push_back((static_cast<float>(f) - 15.5f) / 20);
  }
  EXPECT_EQ(
      English(SampleFact(x, y, 1, 0).text),
      "In sample 0 your mean is right, but you divide by 20, and sqrt(variance + 1e-6) is 9.233. Take a "
      "sample of only two features, 1 and 3: its mean is 2, its variance 1. What does your code compute "
      "for it, step by step?");
  EXPECT_TRUE(SampleFact(x, y, 1, 0).is_of_all);
  std::vector<float> moved;
  for (const float value : x) moved.push_back((value - 12) / 9.233f);
  EXPECT_TRUE(Asks(SampleFact(x, moved, 1, 0), say::cliff_whence_a));
  for (float& value : moved) value *= 2;
  EXPECT_TRUE(Asks(SampleFact(x, moved, 1, 0), say::cliff_whence_both));
  // What feature 0 left behind is another number for all that come later.
  std::vector<float> later = y;
  later[0] = -15.5f / 9.233f;
  EXPECT_EQ(
      English(SampleFact(x, later, 1, 0).text),
      "In sample 0 only feature 0 is right. In the other features, x - mean is divided by 20 instead of "
      "9.233 (or multiplied by the reciprocal). Where do you keep the divisor, or the factor, and which line "
      "overwrites it?");
  // … which may be feature 0's own result.
  for (std::size_t f = 1; f < later.size(); ++f) later[f] = (x[f] - 15.5f) * later[0];
  EXPECT_EQ(
      English(SampleFact(x, later, 1, 0).text),
      "In sample 0 your factor is overwritten: after feature 0, x - mean is multiplied by -1.679, which is "
      "the "
      "result for feature 0, instead of 0.1083. Where do you keep the factor, and which line stores there?");
  for (std::size_t f = 1; f < later.size(); ++f) later[f] = (x[f] - 15.5f) / later[0];
  EXPECT_EQ(
      English(SampleFact(x, later, 1, 0).text),
      "In sample 0 your divisor is overwritten: after feature 0, x - mean is divided by -1.679, which is the "
      "result for feature 0, instead of 9.233. Where do you keep the divisor, and which line stores there?");
  for (std::size_t f = 1; f < later.size(); ++f) later[f] = (x[f] - 12) / 9.233f;
  EXPECT_TRUE(Asks(SampleFact(x, later, 1, 0), say::cliff_mean_overwritten));
  later = y;
  later[0] = -15.5f / 9.233f;
  EXPECT_FALSE(SampleFact(x, later, 1, 0).is_of_all);
  // Four threads of one sample, each of which divides by another number.
  std::vector<float> parts = y;
  for (std::size_t f = 8; f < parts.size(); ++f) parts[f] *= 1.0f + 0.25f * static_cast<float>(f / 8);
  EXPECT_EQ(SampleFact(x, parts, 1, 0).text, say::cliff_parts_divide(0, 8));
  y[7] += 1;
  EXPECT_EQ(SampleFact(x, y, 1, 0).text, say::cliff_not_alike(0));
  y[7] = NAN;
  EXPECT_TRUE(SampleFact(x, y, 1, 0).text.empty());
}

/// A line through values that are rounded off is one of many: it says nothing of a and b.
TEST(SampleFact, TakesRoundingForNoOtherMean) {
  std::vector<float> x, rounded, shifted;
  for (int f = 0; f < kFeatures; ++f) {
    x.push_back(static_cast<float>(f));
    const float right = (static_cast<float>(f) - 15.5f) / 9.2331f;
    rounded.push_back(right + static_cast<float>(f * 7 % 5 - 2) * 2e-4f);
    shifted.push_back(right + 4e-4f);
  }
  EXPECT_EQ(
      English(SampleFact(x, rounded, 1, 0).text),
      "Precision is lost: the values of sample 0 are nearly right, but each is off by a different small "
      "amount, at most 4e-04. Check the types of the values, the mean and the differences.");
  EXPECT_TRUE(Asks(SampleFact(x, shifted, 1, 0), say::cliff_whence_a));
}

TEST(WithTheOneFormula, IsFoundWhereAllSayTheSame) {
  std::vector<Evidence> all(4);
  EXPECT_EQ(WithTheOneFormula(all), nullptr);
  all[1].formula = all[3].formula = "x";
  EXPECT_EQ(WithTheOneFormula(all), &all[1]) << "a single sample, and one with which two fit, say none";
  all[2].formula = "x - mean";
  EXPECT_EQ(WithTheOneFormula(all), nullptr);
}

TEST(WithTheOneFormula, IsNoneWhereATestFitsNoFormula) {
  std::vector<Evidence> all(2);
  all[0].fits_no_formula = true;
  all[1].formula = "x";
  EXPECT_EQ(WithTheOneFormula(all), nullptr);
  all[0].far_from_zero = true;
  EXPECT_EQ(WithTheOneFormula(all), &all[1]) << "rounding may hide it there";
}

/// The squares of x - mean, but the mean is subtracted after squaring: far from zero that is near the average
/// of x * x.
TEST(FormulaOf, ThatFitsFarFromZeroOnlyIsNoneNearIt) {
  constexpr std::size_t kSamples = 40;
  const auto values = [](float middle) {
    std::vector<float> x, y(kFeatures * kSamples);
    for (std::size_t i = 0; i < y.size(); ++i)
      x.push_back(middle + static_cast<float>(i * 37 % 101) / 50 - 0.9f);
    for (std::size_t s = 0; s < kSamples; ++s) {
      double mean = 0, squares = 0;
      for (std::size_t f = 0; f < kFeatures; ++f)
        mean += static_cast<double>(x[f * kSamples + s]) / kFeatures;
      for (std::size_t f = 0; f < kFeatures; ++f) {
        const auto v = static_cast<double>(x[f * kSamples + s]);
        squares += (v * v - mean) / kFeatures;
      }
      for (std::size_t f = 0; f < kFeatures; ++f) {
        const auto v = static_cast<double>(x[f * kSamples + s]);
        y[f * kSamples + s] = static_cast<float>((v - mean) / std::sqrt(squares + 1e-6));
      }
    }
    return std::pair(x, y);
  };
  const auto [far_x, far_y] = values(10'000);
  EXPECT_EQ(FormulaOf(far_x, far_y, kSamples), say::cliff_squares_with_mean());
  EXPECT_FALSE(FitsNoFormula(far_x, far_y, kSamples));
  const auto [x, y] = values(0);
  EXPECT_TRUE(FormulaOf(x, y, kSamples).empty());
  EXPECT_TRUE(FitsNoFormula(x, y, kSamples));
}

TEST(OffTheCliffEvidence, EachMisconceptionIsToldFromTheOthers) {
  EXPECT_EQ(IdOf({}), "");
  EXPECT_EQ(IdOf({.wrong_far = true}), "cliff_cancelled");
  EXPECT_EQ(IdOf({.wrong_far = true, .wrong_near = true}), "");
  EXPECT_EQ(IdOf({.registers = 16, .local = 128, .fetches = 1}), "cliff_array_in_local");
  EXPECT_EQ(IdOf({.registers = 32, .local = 128, .fetches = 1}), "cliff_spilled");
  EXPECT_EQ(IdOf({.registers = 32, .local = 16, .fetches = 1}), "cliff_spilled");
  EXPECT_EQ(IdOf({.registers = 26, .shared = 16384, .fetches = 1}), "cliff_in_shared");
  EXPECT_EQ(IdOf({.registers = 26, .shared = 512}), "");
  EXPECT_EQ(IdOf({.threads = 768}), "cliff_gaps");
  EXPECT_EQ(IdOf({.threads = 32}), "cliff_gaps");
  EXPECT_EQ(IdOf({.registers = 128}), "cliff_fetched_ahead");
  EXPECT_EQ(IdOf({.registers = 48, .fetches = 1}), "cliff_kept");
  EXPECT_EQ(IdOf({.registers = 48, .fetches = 1.3}), "cliff_fetched_ahead")
      << "a few of them, and most are kept";
  EXPECT_EQ(IdOf({.unlaunched = 48}), "") << "what nobody launches fetches nothing";
  EXPECT_EQ(IdOf({.few = 1}), "") << "one sample needs no full block";
  EXPECT_EQ(IdOf({.threads = 768, .few = 1}), "cliff_gaps");
}

/// The figures of the text: 82 bytes of shared memory a thread fill an A100, 128 do not.
TEST(OffTheCliffEvidence, OccupancyIsThatOfAnA100) {
  const auto with = [](std::uint32_t registers, std::uint32_t shared) {
    LaunchRecord launch;
    launch.block = {256, 1, 1};
    launch.registers = registers;
    launch.static_shared_bytes = shared;
    return OccupancyOf(launch);
  };
  EXPECT_DOUBLE_EQ(with(32, 0), 1.0);
  EXPECT_DOUBLE_EQ(with(33, 0), 0.75);
  EXPECT_DOUBLE_EQ(with(48, 0), 0.625);
  EXPECT_DOUBLE_EQ(with(32, 256 * 8), 1.0);
  EXPECT_DOUBLE_EQ(with(32, 256 * 128), 0.5);
}

}  // namespace
}  // namespace warplings::off_the_cliff
