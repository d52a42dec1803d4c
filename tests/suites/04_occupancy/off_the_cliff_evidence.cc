// SPDX-License-Identifier: Apache-2.0
#include "tests/suites/04_occupancy/off_the_cliff_evidence.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iterator>
#include <map>
#include <optional>

#include "chapters/04_occupancy/off_the_cliff.h"
#include "grader/device/occupancy.h"
#include "grader/messages/joining.h"
#include "grader/suite/device_work.h"
#include "grader/suite/evidence.h"
#include "tests/suites/04_occupancy/messages.h"

namespace warplings::off_the_cliff {
namespace {

constexpr std::uint32_t kMostRegisters = 32;
/// An array that is indexed by a loop leaves only addresses, sums and counters in registers, 16 here; a
/// kernel that the compiler had to squeeze uses all that it was allowed.
constexpr std::uint32_t kFewRegisters = 24;
constexpr std::uint32_t kArrayBytes = kFeatures * sizeof(float);

using All = std::span<const Evidence>;

bool ValuesRight(const Evidence& e) {
  return Completed(e.result) && e.result.wrong_count == 0 && !HasError(e.result);
}

const Evidence* CancelledFarFromZero(All all) {
  const Evidence* cancelled = nullptr;
  for (const Evidence& e : all) {
    if (!Completed(e.result) || HasError(e.result)) return nullptr;
    if (e.result.wrong_count > 0 && !e.far_from_zero) return nullptr;
    if (e.result.wrong_count > 0) cancelled = &e;
  }
  return cancelled;
}

BlockShape ShapeOf(const LaunchRecord& launch) {
  return {.threads = static_cast<std::uint32_t>(launch.block.Volume()),
          .registers = launch.registers,
          .static_shared_bytes = launch.static_shared_bytes,
          .dynamic_shared_bytes = launch.dynamic_shared_bytes};
}

/// The kernels that some call launched. Another one in the file has nothing to do with what they fetch.
std::vector<KernelResources> Launched(std::span<const KernelResources> kernels, All all) {
  std::vector<KernelResources> launched;
  std::ranges::copy_if(kernels, std::back_inserter(launched),
                       [&](const KernelResources& kernel) { return IsLaunched(kernel, all); });
  return launched;
}

/// The first launch of this kind in the test that asks for full occupancy: with fewer samples blocks may have
/// another size. Null where there is none.
template <class Predicate>
const LaunchRecord* LaunchWith(All all, const Predicate& predicate) {
  const auto test = std::ranges::find(all, kTestOfOccupancy, &Evidence::test);
  if (test == all.end()) return nullptr;
  const auto launch = std::ranges::find_if(test->result.launches, predicate);
  return launch == test->result.launches.end() ? nullptr : &*launch;
}

std::uint32_t BlocksOf(const LaunchRecord& launch) {
  return ResidencyOn(*FindDeviceProfile("a100"), ShapeOf(launch)).blocks;
}

// --- Formulas that students take for the contract's. ---------------------------------------------

constexpr double kEpsilon = 1e-6;

/// What the formulas are made of: one value, and the sums of those that it is normalised with.
struct Moments {
  double value = 0, mean = 0, variance = 0, mean_of_squares = 0;
  /// Averages of squared differences: from the mean of one's own half or quarter, and from the mean of the
  /// values before, or of these and oneself.
  double of_halves = 0, of_quarters = 0, from_mean_before = 0, from_mean_after = 0;
};

struct Formula {
  Message words;
  double (*of)(const Moments& m);
  /// Which elements of x are normalised together; the last two also take the value from another place in x
  /// than it has in y.
  enum Group : std::uint8_t { kSample, kFeature, kNeighbours, kXTransposed, kYTransposed } group = kSample;
};

double Right(const Moments& m) {
  return (m.value - m.mean) / std::sqrt(m.variance + kEpsilon);
}

const Formula kFormulas[] = {
    {say::cliff_not_divided(), [](const Moments& m) { return m.value - m.mean; }},
    {say::cliff_no_root(), [](const Moments& m) { return (m.value - m.mean) / (m.variance + kEpsilon); }},
    {say::cliff_multiplied(),
     [](const Moments& m) { return (m.value - m.mean) * std::sqrt(m.variance + kEpsilon); }},
    {say::cliff_mean_stays(), [](const Moments& m) { return m.value / std::sqrt(m.variance + kEpsilon); }},
    {say::cliff_epsilon_outside(),
     [](const Moments& m) { return (m.value - m.mean) / (std::sqrt(m.variance) + kEpsilon); }},
    {say::cliff_no_epsilon(), [](const Moments& m) { return (m.value - m.mean) / std::sqrt(m.variance); }},
    {say::cliff_epsilon_5(),
     [](const Moments& m) { return (m.value - m.mean) / std::sqrt(m.variance + 1e-5); }},
    {say::cliff_epsilon_8(),
     [](const Moments& m) { return (m.value - m.mean) / std::sqrt(m.variance + 1e-8); }},
    {say::cliff_squares_with_mean(),
     [](const Moments& m) { return (m.value - m.mean) / std::sqrt(m.mean_of_squares + kEpsilon); }},
    {say::cliff_squares_not_averaged(),
     [](const Moments& m) { return (m.value - m.mean) / std::sqrt(kFeatures * m.variance + kEpsilon); }},
    {say::cliff_divided_by_31(),
     [](const Moments& m) {
       return (m.value - m.mean) / std::sqrt(kFeatures / (kFeatures - 1.0) * m.variance + kEpsilon);
     }},
    {say::cliff_variance_of_halves(),
     [](const Moments& m) { return (m.value - m.mean) / std::sqrt(m.of_halves + kEpsilon); }},
    {say::cliff_variance_of_quarters(),
     [](const Moments& m) { return (m.value - m.mean) / std::sqrt(m.of_quarters + kEpsilon); }},
    {say::cliff_mean_before(),
     [](const Moments& m) { return (m.value - m.mean) / std::sqrt(m.from_mean_before + kEpsilon); }},
    {say::cliff_mean_after(),
     [](const Moments& m) { return (m.value - m.mean) / std::sqrt(m.from_mean_after + kEpsilon); }},
    {say::cliff_sum_for_mean(),
     [](const Moments& m) {
       const double sum = kFeatures * m.mean;
       const double squares = m.mean_of_squares - 2 * sum * m.mean + sum * sum;
       return (m.value - sum) / std::sqrt(squares + kEpsilon);
     }},
    {say::cliff_of_feature(), Right, Formula::kFeature},
    {say::cliff_of_neighbours(), Right, Formula::kNeighbours},
    {say::cliff_x_transposed(), Right, Formula::kXTransposed},
    {say::cliff_y_transposed(), Right, Formula::kYTransposed}};

/// The elements of x that element `e` of y is normalised with: the first, how far apart, how many; and the
/// one whose value it has.
struct Group {
  std::size_t first, step, count, value;
};

Group GroupOf(Formula::Group group, std::size_t e, std::size_t samples) {
  switch (group) {
    case Formula::kFeature: return {e / samples * samples, 1, samples, e};
    case Formula::kNeighbours: return {e / kFeatures * kFeatures, 1, kFeatures, e};
    case Formula::kXTransposed: {
      const std::size_t first = e % samples * kFeatures;
      return {first, 1, kFeatures, first + e / samples};
    }
    case Formula::kYTransposed: {
      const std::size_t first = e / kFeatures;
      return {first, samples, kFeatures, first + e % kFeatures * samples};
    }
    default: return {e % samples, samples, kFeatures, e};
  }
}

/// The average of the parts' variances, each about the part's own mean.
double VarianceOfParts(const std::vector<float>& x, const Group& group, std::size_t parts) {
  const std::size_t size = group.count / parts;
  double variance = 0;
  for (std::size_t part = 0; part < parts; ++part) {
    const auto at = [&](std::size_t k) {
      return static_cast<double>(x[group.first + (part * size + k) * group.step]);
    };
    double mean = 0;
    for (std::size_t k = 0; k < size; ++k) mean += at(k) / static_cast<double>(size);
    for (std::size_t k = 0; k < size; ++k)
      variance += (at(k) - mean) * (at(k) - mean) / static_cast<double>(group.count);
  }
  return variance;
}

void AddRunning(const std::vector<float>& x, const Group& group, Moments& m) {
  double mean = 0;
  for (std::size_t k = 0; k < group.count; ++k) {
    const auto value = static_cast<double>(x[group.first + k * group.step]),
               count = static_cast<double>(group.count);
    m.from_mean_before += (value - mean) * (value - mean) / count;
    mean += (value - mean) / static_cast<double>(k + 1);
    m.from_mean_after += (value - mean) * (value - mean) / count;
  }
}

Moments MomentsOf(const std::vector<float>& x, const Group& group) {
  Moments m;
  const auto count = static_cast<double>(group.count);
  for (std::size_t k = 0; k < group.count; ++k) {
    const auto value = static_cast<double>(x[group.first + k * group.step]);
    m.mean += value / count;
    m.mean_of_squares += value * value / count;
  }
  for (std::size_t k = 0; k < group.count; ++k) {
    const double d = static_cast<double>(x[group.first + k * group.step]) - m.mean;
    m.variance += d * d / count;
  }
  constexpr std::size_t kHalves = 2, kQuarters = 4;
  m.of_halves = VarianceOfParts(x, group, kHalves);
  m.of_quarters = VarianceOfParts(x, group, kQuarters);
  AddRunning(x, group, m);
  return m;
}

bool Follows(const Formula& formula, const std::vector<float>& x, const std::vector<float>& y,
             std::size_t samples) {
  std::map<std::size_t, Moments> of_group;
  for (std::size_t e = 0; e < y.size(); ++e) {
    const Group group = GroupOf(formula.group, e, samples);
    auto [known, is_new] = of_group.try_emplace(group.first);
    if (is_new) known->second = MomentsOf(x, group);
    Moments m = known->second;
    m.value = static_cast<double>(x[group.value]);
    const double model = formula.of(m), given = static_cast<double>(y[e]);
    if (!(std::fabs(given - model) <= 1e-3 * std::fabs(model) + 1e-4 * std::sqrt(m.variance + kEpsilon)))
      return false;
  }
  return true;
}

}  // namespace

Message FormulaOf(const std::vector<float>& x, const std::vector<float>& y, std::size_t samples) {
  // Of one sample there is one value a feature, and nothing tells the groups apart.
  if (samples < 2 || x.size() != y.size() || x.size() != kFeatures * samples) return {};
  const Formula* found = nullptr;
  for (const Formula& formula : kFormulas) {
    if (!Follows(formula, x, y, samples)) continue;
    if (found != nullptr) return {};  // Values of this size tell the two not apart.
    found = &formula;
  }
  return found == nullptr ? Message() : found->words;
}

bool FitsNoFormula(const std::vector<float>& x, const std::vector<float>& y, std::size_t samples) {
  if (samples < 2 || x.size() != y.size() || x.size() != kFeatures * samples) return false;
  return std::ranges::none_of(kFormulas,
                              [&](const Formula& formula) { return Follows(formula, x, y, samples); });
}

std::string FourDigits(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", value);
  return text;
}

namespace {

/// y = slope * x + shift, through the smallest and the largest x of some elements.
struct Line {
  double slope = 0, shift = 0;
};

/// The largest distance of these elements of y from what `of` says they are.
template <class Of>
double FarthestFrom(const std::vector<float>& y, const std::vector<std::size_t>& elements, const Of& of) {
  double farthest = 0;
  for (const std::size_t e : elements)
    farthest = std::max(farthest, std::fabs(static_cast<double>(y[e]) - of(e)));
  return farthest;
}

/// Where each value is a little off, by another amount: no line through them says more than the right one.
Message LostDigits(std::size_t sample, double off) {
  char text[32];
  std::snprintf(text, sizeof text, "%.0e", off);
  return say::cliff_digits_lost(sample, text);
}

/// Nothing where they do not lie on one line.
std::optional<Line> LineThrough(const std::vector<float>& x, const std::vector<float>& y,
                                const std::vector<std::size_t>& elements) {
  const auto at = [](const std::vector<float>& values, std::size_t e) {
    return static_cast<double>(values[e]);
  };
  const auto [least, most] = std::ranges::minmax_element(elements, {}, [&](std::size_t e) { return x[e]; });
  Line line;
  line.slope = (at(y, *most) - at(y, *least)) / (at(x, *most) - at(x, *least));
  line.shift = at(y, *least) - line.slope * at(x, *least);
  const double spread = std::fabs(at(y, *most)) + std::fabs(at(y, *least));
  const auto is_on_it = [&](std::size_t e) {
    return std::fabs(line.slope * at(x, e) + line.shift - at(y, e)) <= 1e-3 * spread;
  };
  const bool all = std::isfinite(line.slope) && std::ranges::all_of(elements, is_on_it);
  return all ? std::optional(line) : std::nullopt;
}

/// The two numbers by which values are (x - a) / b, beside the right ones.
struct Normalisers {
  double a, b, mean, root;

  Normalisers(const Line& line, const Moments& m)
      : a(-line.shift / line.slope),
        b(1 / line.slope),
        mean(m.mean),
        root(std::sqrt(m.variance + kEpsilon)) {}

  static constexpr double kSame = 1e-3;
  double OffA() const { return std::fabs(a - mean) / root; }
  double OffB() const { return std::fabs(b - root) / root; }
  bool IsA() const { return OffA() > kSame || OffA() > OffB(); }
  bool IsB() const { return OffB() > kSame || OffB() >= OffA(); }

  /// Asks about those that differ.
  Message Question() const {
    return IsA() && IsB() ? say::cliff_whence_both() : IsA() ? say::cliff_whence_a() : say::cliff_whence_b();
  }

  /// Of all values of a sample.
  Message OfSample(std::size_t sample) const {
    const Message what = IsA() && IsB() ? say::cliff_sample_is(sample, FourDigits(a), FourDigits(b),
                                                               FourDigits(mean), FourDigits(root))
                         : IsA()        ? say::cliff_sample_a(sample, FourDigits(a), FourDigits(mean))
                                        : say::cliff_sample_b(sample, FourDigits(b), FourDigits(root));
    return say::both(what, Question());
  }

  /// Of those whose features are not among the `right` ones. Where those are the first ones, the numbers were
  /// right once, and were overwritten: by the last right one's `result`, if it is this number.
  Message OfOthers(std::size_t sample, const std::vector<std::size_t>& right, double result) const {
    std::string list;
    bool are_first = true;
    for (std::size_t i = 0; i < right.size(); ++i) {
      list += (i == 0 ? "" : ", ") + std::to_string(right[i]);
      are_first = are_first && right[i] == i;
    }
    const auto is_result = [=](double number) {
      return std::fabs(number - result) <= kSame * std::fabs(result);
    };
    if (are_first && !IsA()) {
      const std::size_t last = right.back();
      if (is_result(1 / b))
        return say::cliff_factor_is_result(sample, last, FourDigits(1 / b), FourDigits(1 / root));
      if (is_result(b)) return say::cliff_divisor_is_result(sample, last, FourDigits(b), FourDigits(root));
    }
    const Message which =
        right.size() == 1 ? say::cliff_feature_is(right.front()) : say::cliff_features_are(list);
    const Message what = IsA() && IsB() ? say::cliff_others_are(sample, which, FourDigits(a), FourDigits(b),
                                                                FourDigits(mean), FourDigits(root))
                         : IsA()        ? say::cliff_others_a(sample, which, FourDigits(a), FourDigits(mean))
                                        : say::cliff_others_b(sample, which, FourDigits(b), FourDigits(root));
    if (!are_first || IsA() == IsB()) return say::both(what, Question());
    return say::both(what, IsA() ? say::cliff_mean_overwritten() : say::cliff_divisor_overwritten());
  }
};

}  // namespace

/// Whether each `part` features in a row are (x - mean) times a number of their own, with the right mean.
bool SharesOnlyTheMean(const std::vector<float>& x, const std::vector<float>& y,
                       const std::vector<std::size_t>& elements, std::size_t part, const Moments& m) {
  for (std::size_t first = 0; first + part <= elements.size(); first += part) {
    const auto begin = elements.begin() + static_cast<std::ptrdiff_t>(first);
    const auto line = LineThrough(x, y, {begin, begin + static_cast<std::ptrdiff_t>(part)});
    if (!line || line->slope == 0 || Normalisers(*line, m).OffA() > Normalisers::kSame) return false;
  }
  return true;
}

SampleWords SampleFact(const std::vector<float>& x, const std::vector<float>& y, std::size_t samples,
                       std::size_t sample) {
  constexpr std::size_t kFewest = 4;  // Fewer lie on a line by chance.
  const Moments m = MomentsOf(x, GroupOf(Formula::kSample, sample, samples));
  std::vector<std::size_t> all, wrong, right;
  for (std::size_t e = sample; e < x.size(); e += samples) {
    if (!std::isfinite(y[e])) return {};
    Moments of_element = m;
    of_element.value = static_cast<double>(x[e]);
    all.push_back(e);
    if (std::fabs(static_cast<double>(y[e]) - Right(of_element)) > 1e-3) {
      wrong.push_back(e);
    } else {
      right.push_back(e / samples);
    }
  }
  if (const auto line = LineThrough(x, y, all); line && line->slope != 0) {
    const auto right_at = [&](std::size_t e) {
      Moments of_element = m;
      of_element.value = static_cast<double>(x[e]);
      return Right(of_element);
    };
    const auto on_line = [&](std::size_t e) { return line->slope * static_cast<double>(x[e]) + line->shift; };
    const double off = FarthestFrom(y, all, right_at);
    if (FarthestFrom(y, all, on_line) > off / 4) return {LostDigits(sample, off), true};
    return {Normalisers(*line, m).OfSample(sample), true};
  }
  if (wrong.size() >= kFewest && all.size() - wrong.size() <= kFewest && !right.empty()) {
    if (const auto line = LineThrough(x, y, wrong); line && line->slope != 0)
      return {Normalisers(*line, m).OfOthers(sample, right,
                                             static_cast<double>(y[right.back() * samples + sample]))};
  }
  for (std::size_t part = all.size() / 2; part >= kFewest; part /= 2) {
    if (SharesOnlyTheMean(x, y, all, part, m)) return {say::cliff_parts_divide(sample, part)};
  }
  return {say::cliff_not_alike(sample)};
}

const Evidence* WithTheOneFormula(All all) {
  const Evidence* first = nullptr;
  for (const Evidence& e : all) {
    if (e.fits_no_formula && !e.far_from_zero) return nullptr;
    if (e.formula.empty()) continue;
    if (first != nullptr && first->formula != e.formula) return nullptr;
    if (first == nullptr) first = &e;
  }
  return first;
}

bool IsLaunched(const KernelResources& kernel, All all) {
  return std::ranges::any_of(all, [&](const Evidence& e) {
    return std::ranges::count(e.result.launches, kernel.kernel, &LaunchRecord::kernel) > 0;
  });
}

KernelResources Largest(std::span<const KernelResources> kernels) {
  KernelResources largest;
  for (const KernelResources& kernel : kernels) {
    largest.registers = std::max(largest.registers, kernel.registers);
    largest.local_bytes = std::max(largest.local_bytes, kernel.local_bytes);
    largest.shared_bytes = std::max(largest.shared_bytes, kernel.shared_bytes);
  }
  return largest;
}

double OccupancyOf(const LaunchRecord& launch) {
  return Occupancy(*FindDeviceProfile("a100"), ShapeOf(launch));
}

double Fetches(const Evidence& evidence) {
  const double elements = double{kFeatures} * evidence.samples;
  return static_cast<double>(TrafficOf(evidence.result, "x").load_bytes) / (elements * sizeof(float));
}

namespace {

std::vector<Fact> One(const Message& message) {
  std::vector<Fact> found;
  AddFact(found, message);
  return found;
}

}  // namespace

std::vector<Fact> FactsOf(All evidence, std::span<const KernelResources> kernels) {
  if (const Evidence* e = CancelledFarFromZero(evidence)) {
    return One(say::of_test(e->test, say::cliff_cancelled(e->result.wrong_count, kFeatures * e->samples)));
  }
  if (const Evidence* e = WithTheOneFormula(evidence)) {
    if (e->formula == say::cliff_x_transposed() || e->formula == say::cliff_y_transposed())
      return One(say::of_test(e->test, e->formula));
  }
  if (evidence.empty() || kernels.empty() || !std::ranges::all_of(evidence, ValuesRight)) return {};
  const std::vector<KernelResources> launched = Launched(kernels, evidence);
  const KernelResources most = Largest(launched);
  if (most.local_bytes == kArrayBytes && most.registers <= kFewRegisters) {
    return One(say::cliff_array_in_local(most.local_bytes));
  }
  if (most.local_bytes > 0 && most.registers <= kMostRegisters) {
    return One(say::cliff_spilled(most.registers, most.local_bytes));
  }
  const auto uses_shared = [](const LaunchRecord& l) {
    return l.static_shared_bytes + l.dynamic_shared_bytes > 0;
  };
  const auto has_gaps = [](const LaunchRecord& l) {
    LaunchRecord bare = l;
    bare.static_shared_bytes = bare.dynamic_shared_bytes = 0;
    return OccupancyOf(bare) < 1;
  };
  // Not of blocks that would leave gaps without shared memory, too.
  const LaunchRecord* shared =
      LaunchWith(evidence, [&](const LaunchRecord& l) { return uses_shared(l) && !has_gaps(l); });
  if (shared != nullptr && most.registers <= kMostRegisters && OccupancyOf(*shared) < 1) {
    const auto bytes = shared->static_shared_bytes + shared->dynamic_shared_bytes;
    return One(say::cliff_in_shared(bytes, shared->block.Volume()));
  }
  const LaunchRecord* gaps = LaunchWith(evidence, has_gaps);
  if (gaps != nullptr && most.registers <= kMostRegisters) {
    return One(say::cliff_gaps(most.registers, gaps->block.Volume(), BlocksOf(*gaps)));
  }
  if (most.registers <= kMostRegisters || most.local_bytes > 0 || shared != nullptr) return {};
  // From x, or from wherever else they were put. Who fetches a few of them again keeps the others.
  const double elements = double{kFeatures} * evidence.front().samples;
  const double loads = static_cast<double>(TotalCounts(evidence.front().result).global_load_bytes) /
                       (elements * sizeof(float));
  const double fetches = std::max(loads, Fetches(evidence.front()));
  if (fetches < 1.05) return One(say::cliff_kept(most.registers));
  return One(say::cliff_fetched_ahead(most.registers, say::Decimal(fetches, 1)));
}

double CommonFactor(const std::vector<float>& actual, const std::vector<double>& expected) {
  // Quotients of small numbers are mostly rounding.
  constexpr double kSmall = 1e-2, kSpread = 1e-3;
  double least = 0, most = 0;
  bool any = false;
  for (std::size_t i = 0; i < std::min(actual.size(), expected.size()); ++i) {
    if (std::fabs(expected[i]) < kSmall) continue;
    const double factor = static_cast<double>(actual[i]) / expected[i];
    if (!std::isfinite(factor)) return 0;
    least = any ? std::min(least, factor) : factor;
    most = any ? std::max(most, factor) : factor;
    any = true;
  }
  const double middle = (least + most) / 2;
  const bool is_one_factor = any && most - least < kSpread * std::fabs(middle);
  return is_one_factor && std::fabs(middle - 1) > 2 * kSpread ? middle : 0;
}

}  // namespace warplings::off_the_cliff
