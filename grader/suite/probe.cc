// SPDX-License-Identifier: Apache-2.0
#include "grader/suite/probe.h"

#include <algorithm>
#include <initializer_list>
#include <utility>

#include "grader/suite/bilinear_search.h"
#include "grader/suite/probe_calls.h"
#include "grader/suite/random_values.h"

namespace warplings {

using namespace probing;

namespace {

/// Halves ranges until each is added evenly.
class CountSearch {
 public:
  CountSearch(const ProbedFunction& function, std::size_t a_count, Budget& budget)
      : caller_(function, a_count, 0, 1, budget), a_count_(a_count), random_(kSeed) {}

  std::vector<CountedRange> Run() {
    const auto zero = caller_.Call(caller_.A(), caller_.B());
    if (!zero || a_count_ == 0 || !IsWhole((*zero)[0])) return {};
    constant_ = (*zero)[0];
    if (!Split(0, a_count_) || !Verify()) return {};
    return ranges_;
  }

 private:
  bool Split(std::size_t first, std::size_t end) {
    ProbeMemory a = caller_.A();
    double sum = 0;
    for (std::size_t i = first; i < end; ++i) {
      const auto value = static_cast<float>(1 + random_.Below(97));
      a.At(static_cast<ElementIndex>(i)) = value;
      sum += value;
    }
    const auto answer = caller_.Call(a, caller_.B());
    if (!answer) return false;
    const double times = ((*answer)[0] - constant_) / sum;
    if (IsWhole((*answer)[0]) && IsWhole(times)) {
      Add(first, end, static_cast<std::int64_t>(times));
      return true;
    }
    if (end - first == 1) return false;
    const std::size_t middle = first + (end - first) / 2;
    return Split(first, middle) && Split(middle, end);
  }

  void Add(std::size_t first, std::size_t end, std::int64_t times) {
    if (!ranges_.empty() && ranges_.back().times == times) {
      ranges_.back().last = end - 1;
    } else {
      ranges_.push_back({first, end - 1, times});
    }
  }

  bool Verify() {
    for (int round = 0; round < 2; ++round) {
      ProbeMemory a = RandomArray(random_, caller_.A());
      const auto answer = caller_.Call(a, caller_.B());
      if (!answer) return false;
      double sum = constant_;
      for (const CountedRange& range : ranges_) {
        for (std::size_t i = range.first; i <= range.last; ++i) {
          sum += static_cast<double>(range.times) * a.At(static_cast<ElementIndex>(i));
        }
      }
      if ((*answer)[0] != sum) return false;
    }
    return true;
  }

  Caller caller_;
  const std::size_t a_count_;
  RandomValues random_;
  double constant_ = 0;
  std::vector<CountedRange> ranges_;
};

/// One that moves elements is told by few calls: each element holds its own number.
class MoveSearch {
 public:
  MoveSearch(const ProbedFunction& function, std::size_t a_count, std::size_t output_count, Budget& budget)
      : caller_(function, a_count, 0, output_count, budget), a_count_(a_count), output_count_(output_count) {}

  /// Empty where the function does something else than to move, too.
  ProbeResult Run() {
    ProbeResult result;
    if (Search() && std::ranges::any_of(formulas_, &FoundFormula::known))
      result.formulas = std::move(formulas_);
    return result;
  }

 private:
  // Numbers of elements, of what is around the array, and of what the output held before.
  float NumberOf(ElementIndex index) const {
    return static_cast<float>(index + 1 + static_cast<ElementIndex>(ProbeMemory::kFront));
  }
  std::size_t Numbers() const { return ProbeMemory::kFront + a_count_ + ProbeMemory::kBack; }

  bool Search() {
    ProbeMemory a = caller_.A();
    if (a_count_ == 0 || Numbers() + output_count_ > std::size_t{1} << 23) return false;
    const auto end = static_cast<ElementIndex>(a_count_ + ProbeMemory::kBack);
    for (ElementIndex i = -static_cast<ElementIndex>(ProbeMemory::kFront); i < end; ++i) {
      a.At(i) = NumberOf(i);
    }
    std::vector<float> before(output_count_);
    for (std::size_t i = 0; i < output_count_; ++i) before[i] = static_cast<float>(Numbers() + 1 + i);
    const auto answer = caller_.Call(a, caller_.B(), before);
    if (!answer) return false;
    formulas_.resize(output_count_);
    for (std::size_t i = 0; i < output_count_; ++i) ReadNumber(i, (*answer)[i]);
    RandomValues random(kSeed);
    if (!Verify(random)) return false;
    if (std::ranges::none_of(formulas_, &FoundFormula::known) || !LookForConstants(*answer)) return true;
    return Verify(random);
  }

  void ReadNumber(std::size_t i, double value) {
    FoundFormula& formula = formulas_[i];
    formula.element = i;
    if (!IsWhole(value) || value < 0) return;
    const auto number = static_cast<std::size_t>(value);
    formula.known = true;
    if (number == 0) return;
    if (number <= Numbers()) {
      formula.terms = {
          {static_cast<ElementIndex>(number) - 1 - static_cast<ElementIndex>(ProbeMemory::kFront), kNoElement,
           1}};
    } else {
      formula.before_times = 1;
      formula.known = number == Numbers() + 1 + i;
    }
  }

  /// Elements that held the same in both calls may be constants. False: there are none.
  bool LookForConstants(const Answer& first) {
    bool any = false;
    for (FoundFormula& formula : formulas_) {
      const double value = first[formula.element];
      if (formula.known || !IsWhole(value) || value != latest_[formula.element]) continue;
      formula.known = true;
      formula.constant = static_cast<std::int64_t>(value);
      formula.before_times = 0;
      formula.terms.clear();
      any = true;
    }
    return any;
  }

  bool Verify(RandomValues& random) {
    ProbeMemory a = RandomSurroundings(random, RandomArray(random, caller_.A()));
    std::vector<float> before(output_count_);
    FillRandomly(random, before);
    const auto answer = caller_.Call(a, caller_.B(), before);
    if (!answer) return false;
    for (FoundFormula& formula : formulas_) {
      const double expected = formula.terms.empty()
                                  ? static_cast<double>(formula.constant) +
                                        static_cast<double>(formula.before_times) * before[formula.element]
                                  : a.At(formula.terms.front().a);
      formula.known = formula.known && (*answer)[formula.element] == expected;
    }
    latest_ = *answer;
    return true;
  }

  Caller caller_;
  const std::size_t a_count_, output_count_;
  std::vector<FoundFormula> formulas_;
  Answer latest_;  ///< Of the latest Verify.
};

std::ptrdiff_t KnownOf(const ProbeResult& result) {
  return std::ranges::count_if(result.formulas, &FoundFormula::known);
}

/// By the first scale by which all formulas are known; by the best of them where none is such.
ProbeResult SearchByScales(const ProbedFunction& function, std::size_t a_count, std::size_t b_count,
                           std::size_t output_count, Budget& budget, std::initializer_list<DigitScale> scales,
                           const ProductShape* product = nullptr) {
  ProbeResult best;
  for (const DigitScale& scale : scales) {
    const int calls_before = budget.calls_made();
    BilinearSearch search(function, a_count, b_count, output_count, budget, scale, product);
    ProbeResult result = search.Run(&scale == scales.begin(), &scale == scales.end() - 1);
    if (search.runs_over()) continue;
    const bool ended = result.formulas.empty();
    if (best.formulas.empty() || KnownOf(result) > KnownOf(best)) best = std::move(result);
    if (ended || KnownOf(best) + search.CountLost() == std::ssize(best.formulas)) break;
    // The next scale takes more calls than this one, and a search that is cut off finds nothing.
    if (budget.calls_left() < budget.calls_made() - calls_before) break;
  }
  return best;
}

}  // namespace

void ProbeMemory::Fill(float value) {
  for (std::size_t i = 0; i < count; ++i) values[kFront + i] = value;
}

ProbeResult ProbeBilinear(const ProbedFunction& function, std::size_t a_count, std::size_t b_count,
                          std::size_t output_count, const ProbeLimits& limits) {
  Budget budget(limits);
  // What is clamped to the edge takes part once for each place behind it.
  ProbeResult found =
      SearchByScales(function, a_count, b_count, output_count, budget, {kOnce, kFewTimes, kManyTimes});
  found.calls = budget.calls_made();
  return found;
}

ProbeResult ProbeProduct(const ProbedFunction& function, const ProductShape& shape,
                         const ProbeLimits& limits) {
  Budget budget(limits);
  ProbeResult found =
      SearchByScales(function, shape.rows * shape.inner, shape.inner * shape.columns,
                     shape.rows * shape.columns, budget, {kOnce, kFewTimes, kManyTimes}, &shape);
  found.calls = budget.calls_made();
  return found;
}

ProbeResult ProbeLinear(const ProbedFunction& function, std::size_t a_count, std::size_t output_count,
                        const ProbeLimits& limits) {
  Budget budget(limits);
  ProbeResult found = MoveSearch(function, a_count, output_count, budget).Run();
  const bool all_moved = !found.formulas.empty() && KnownOf(found) == std::ssize(found.formulas);
  if (!all_moved && CallsToTakeApart(a_count) <= limits.calls) {
    ProbeResult added =
        SearchByScales(function, a_count, 0, output_count, budget, {kFewTimes, kManyTimes, kVeryManyTimes});
    if (KnownOf(added) > 0) found = std::move(added);
  }
  found.calls = budget.calls_made();
  return found;
}

int CallsToTakeApart(std::size_t a_count) {
  constexpr std::size_t kOthers = 10;  // Moves, zeros, surroundings, and two to verify.
  const auto digits = static_cast<std::size_t>(kFewTimes.count);
  return static_cast<int>(std::min<std::size_t>((a_count + digits - 1) / digits + kOthers, 1'000'000));
}

std::vector<CountedRange> ProbeCounts(const ProbedFunction& function, std::size_t a_count,
                                      const ProbeLimits& limits) {
  Budget budget(limits);
  return CountSearch(function, a_count, budget).Run();
}

}  // namespace warplings
