// SPDX-License-Identifier: Apache-2.0
#include "grader/suite/probe.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <initializer_list>
#include <map>
#include <utility>

#include "grader/suite/random_values.h"

namespace warplings {
namespace {

/// Elements of one call are told apart by digits of its answer; half of the largest digit times the sum of
/// all powers has to be below 2^24.
struct DigitScale {
  std::int64_t bits = 4, count = 6;
  std::int64_t base() const { return std::int64_t{1} << bits; }
  float Power(std::size_t digit) const {
    return static_cast<float>(std::int64_t{1} << (bits * static_cast<std::int64_t>(digit)));
  }
};
/// An element that takes part once or twice, as nearly all do; up to 8 times, in twice as many calls; up to
/// 32 times, in three times as many; or up to 2048 times, as where each step of a sum doubles what is added
/// in vain.
constexpr DigitScale kOnce{2, 12}, kFewTimes{4, 6}, kManyTimes{6, 4}, kVeryManyTimes{12, 2};
constexpr double kLargestExact = 1 << 24;
/// More numbers than elements meet in one sum of a small call.
constexpr std::size_t kMostColours = 62;
constexpr std::uint64_t kSeed = 20240607;

using Answer = std::vector<double>;
/// How often an element takes part.
using TermShare = std::map<ElementIndex, std::int64_t>;

/// What is left of the limits. Several searches of one function share it.
class Budget {
 public:
  explicit Budget(const ProbeLimits& limits)
      : left_(limits), calls_allowed_(limits.calls), start_(std::chrono::steady_clock::now()) {}

  /// False: no further call may be made.
  bool TakeCall() {
    const bool waited = std::chrono::steady_clock::now() - start_ > left_.waiting;
    if (waited || left_.calls <= 0 || left_.warp_instructions == 0) return false;
    --left_.calls;
    return true;
  }
  void Spend(std::uint64_t warp_instructions) {
    left_.warp_instructions -= std::min(left_.warp_instructions, warp_instructions);
  }
  int calls_made() const { return calls_allowed_ - left_.calls; }

 private:
  ProbeLimits left_;
  const int calls_allowed_;
  const std::chrono::steady_clock::time_point start_;
};

/// The function with its limits; once a call fails no further one is made.
class Caller {
 public:
  Caller(const ProbedFunction& function, std::size_t a_count, std::size_t b_count, std::size_t output_count,
         Budget& budget)
      : function_(function),
        budget_(budget),
        a_count_(a_count),
        b_count_(b_count),
        output_count_(output_count) {}

  ProbeMemory A(float value = 0) const { return ProbeMemory(a_count_, value); }
  ProbeMemory B(float value = 0) const { return ProbeMemory(b_count_, value); }

  std::optional<Answer> Call(const ProbeMemory& a, const ProbeMemory& b) {
    return Call(a, b, std::vector<float>(output_count_));
  }

  std::optional<Answer> Call(const ProbeMemory& a, const ProbeMemory& b, const std::vector<float>& before) {
    if (failed_ || !budget_.TakeCall()) return Fail();
    const auto answer = function_(a, b, before);
    if (!answer || answer->values.size() != output_count_) return Fail();
    budget_.Spend(answer->warp_instructions);
    return Answer(answer->values.begin(), answer->values.end());
  }

 private:
  std::nullopt_t Fail() {
    failed_ = true;
    return std::nullopt;
  }

  const ProbedFunction& function_;
  Budget& budget_;
  const std::size_t a_count_, b_count_, output_count_;
  bool failed_ = false;
};

bool IsWhole(double value) {
  return std::fabs(value) < kLargestExact && value == std::floor(value);
}

/// The digits of `value`, the lowest first; of base 16 from -7 to 8.
std::vector<std::int64_t> DigitsOf(double value, const DigitScale& scale) {
  const std::int64_t base = scale.base();
  std::vector<std::int64_t> digits;
  auto rest = static_cast<std::int64_t>(value);
  for (std::int64_t i = 0; i < scale.count; ++i) {
    std::int64_t digit = ((rest % base) + base) % base;
    if (digit > base / 2) digit -= base;
    digits.push_back(digit);
    rest = (rest - digit) / base;
  }
  return digits;
}

/// Whole numbers from -60 to 60 but 0, whose products add up exactly.
void FillRandomly(RandomValues& random, std::span<float> values) {
  for (float& value : values) {
    const auto magnitude = static_cast<float>(1 + random.Below(60));
    value = random.Below(2) == 0 ? magnitude : -magnitude;
  }
}

ProbeMemory RandomArray(RandomValues& random, ProbeMemory memory) {
  if (memory.count == 0) return memory;
  FillRandomly(random, std::span(memory.values).subspan(ProbeMemory::kFront, memory.count));
  return memory;
}

/// Also what is looked at around the array.
ProbeMemory RandomSurroundings(RandomValues& random, ProbeMemory memory) {
  if (memory.count == 0) return memory;
  const std::span<float> all(memory.values);
  FillRandomly(random, all.first(ProbeMemory::kFront));
  FillRandomly(random, all.subspan(ProbeMemory::kFront + memory.count, ProbeMemory::kBack));
  return memory;
}

class BilinearSearch {
 public:
  BilinearSearch(const ProbedFunction& function, std::size_t a_count, std::size_t b_count,
                 std::size_t output_count, Budget& budget, const DigitScale& scale)
      : caller_(function, a_count, b_count, output_count, budget),
        scale_(scale),
        digits_(static_cast<std::size_t>(scale.count)),
        a_count_(a_count),
        b_count_(b_count),
        output_count_(output_count),
        random_(kSeed) {}

  /// `is_last`: there is no larger scale to go to where digits run over.
  ProbeResult Run(bool is_last) {
    is_last_ = is_last;
    ProbeResult result;
    if (Search()) {
      result.formulas = std::move(formulas_);
      result.leaves_a = leaves_a_;
      result.leaves_b = leaves_b_;
    }
    return result;
  }

  /// Whether Run() gave up because an element takes part more often than a digit holds.
  bool runs_over() const { return runs_over_; }

 private:
  enum class Side { kA, kB };

  bool Search() {
    formulas_.resize(output_count_);
    usable_.assign(output_count_, true);
    for (std::size_t i = 0; i < output_count_; ++i) formulas_[i].element = i;
    return FindConstants() && FindSurroundings() && FindShares() && FindPairs() && Verify();
  }

  /// What is there with inputs of 0, and what becomes of what the output held before.
  bool FindConstants() {
    const auto zero = caller_.Call(caller_.A(), caller_.B());
    std::vector<float> before(output_count_);
    for (std::size_t i = 0; i < output_count_; ++i) before[i] = static_cast<float>(4099 + 3 * i);
    const auto kept = caller_.Call(caller_.A(), caller_.B(), before);
    if (!zero || !kept) return false;
    for (std::size_t i = 0; i < output_count_; ++i) {
      const double times = ((*kept)[i] - (*zero)[i]) / before[i];
      usable_[i] = IsWhole((*zero)[i]) && IsWhole(times);
      if (!usable_[i]) continue;
      formulas_[i].constant = static_cast<std::int64_t>((*zero)[i]);
      formulas_[i].before_times = static_cast<std::int64_t>(times);
    }
    return std::ranges::find(usable_, true) != usable_.end();
  }

  /// Whether anything is read around the arrays.
  bool FindSurroundings() {
    const ProbeMemory a = RandomArray(random_, caller_.A()), b = RandomArray(random_, caller_.B());
    const auto plain = caller_.Call(a, b);
    const auto around_a = caller_.Call(RandomSurroundings(random_, a), b);
    if (!plain || !around_a) return false;
    leaves_a_ = Differ(*plain, *around_a);
    if (b_count_ == 0) return true;
    // Where both are left, what is read around B may only be multiplied with what is around A.
    const auto around_b = caller_.Call(RandomSurroundings(random_, a), RandomSurroundings(random_, b));
    const auto around_a_alone = caller_.Call(a, RandomSurroundings(random_, b));
    if (!around_b || !around_a_alone) return false;
    leaves_b_ = Differ(*plain, *around_a_alone);
    if (Differ(*around_a, *around_b) && !leaves_a_ && !leaves_b_) leaves_a_ = leaves_b_ = true;
    return true;
  }

  /// Only of elements that can be read at all: what is not a number differs from itself.
  bool Differ(const Answer& one, const Answer& other) const {
    for (std::size_t i = 0; i < output_count_; ++i) {
      if (usable_[i] && one[i] != other[i]) return true;
    }
    return false;
  }

  std::vector<ElementIndex> IndicesOf(Side side) const {
    const auto count = static_cast<ElementIndex>(side == Side::kA ? a_count_ : b_count_);
    const bool leaves = side == Side::kA ? leaves_a_ : leaves_b_;
    const ElementIndex first = leaves && count > 0 ? -static_cast<ElementIndex>(ProbeMemory::kFront) : 0;
    const ElementIndex end =
        leaves && count > 0 ? count + static_cast<ElementIndex>(ProbeMemory::kBack) : count;
    std::vector<ElementIndex> indices;
    for (ElementIndex i = first; i < end; ++i) indices.push_back(i);
    return indices;
  }

  ProbeMemory Filled(Side side, float value) const {
    ProbeMemory memory = side == Side::kA ? caller_.A() : caller_.B();
    for (const ElementIndex index : IndicesOf(side)) memory.At(index) = value;
    return memory;
  }

  std::optional<Answer> CallWith(Side side, const ProbeMemory& mine, const ProbeMemory& others) {
    return side == Side::kA ? caller_.Call(mine, others) : caller_.Call(others, mine);
  }

  /// How often each element of `side` takes part while all of the other side hold `other`, by element of the
  /// output. What is there without it is left out.
  std::optional<std::vector<TermShare>> SharesOf(Side side, float other) {
    const ProbeMemory others = Filled(side == Side::kA ? Side::kB : Side::kA, other);
    const ProbeMemory none = side == Side::kA ? caller_.A() : caller_.B();
    const auto without = CallWith(side, none, others);
    if (!without) return std::nullopt;
    without_ = *without;
    std::vector<TermShare> shares(output_count_);
    const std::vector<ElementIndex> indices = IndicesOf(side);
    for (std::size_t first = 0; first < indices.size(); first += digits_) {
      const std::size_t end = std::min(first + digits_, indices.size());
      ProbeMemory mine = none;
      for (std::size_t i = first; i < end; ++i) mine.At(indices[i]) = scale_.Power(i - first);
      const auto answer = CallWith(side, mine, others);
      if (!answer) return std::nullopt;
      for (std::size_t e = 0; e < output_count_; ++e) {
        const double value = (*answer)[e] - (*without)[e];
        usable_[e] = usable_[e] && IsWhole(value);
        if (!usable_[e]) continue;
        const auto digits = DigitsOf(value, scale_);
        for (std::size_t i = first; i < end; ++i) {
          if (digits[i - first] != 0) shares[e][indices[i]] = digits[i - first];
        }
      }
    }
    return shares;
  }

  /// Whether SharesOf(side, 1) hold for other numbers, too. Asked before the other side is, as a digit that
  /// runs over is counted for the next element.
  bool Holds(Side side, const std::vector<TermShare>& shares) {
    if (is_last_) return true;
    const ProbeMemory others = Filled(side == Side::kA ? Side::kB : Side::kA, 1);
    RandomValues random(kSeed + 2);
    ProbeMemory mine = RandomArray(random, side == Side::kA ? caller_.A() : caller_.B());
    const auto answer = CallWith(side, mine, others);
    if (!answer) return false;
    for (std::size_t e = 0; e < output_count_; ++e) {
      double expected = without_[e];
      for (const auto& [index, times] : shares[e]) expected += static_cast<double>(times) * mine.At(index);
      runs_over_ = runs_over_ || (usable_[e] && (*answer)[e] != expected);
    }
    return !runs_over_;
  }

  /// Does an input take part without the other?
  std::optional<bool> StandsAlone(Side side) {
    RandomValues random(kSeed + 1);
    ProbeMemory mine = RandomArray(random, side == Side::kA ? caller_.A() : caller_.B());
    const auto answer = CallWith(side, mine, side == Side::kA ? caller_.B() : caller_.A());
    if (!answer) return std::nullopt;
    for (std::size_t e = 0; e < output_count_; ++e) {
      if (usable_[e] && (*answer)[e] != static_cast<double>(formulas_[e].constant)) return true;
    }
    return false;
  }

  static void TakeAway(std::vector<TermShare>& shares, const std::vector<TermShare>& alone) {
    for (std::size_t e = 0; e < alone.size(); ++e) {
      for (const auto& [index, times] : alone[e]) {
        if ((shares[e][index] -= times) == 0) shares[e].erase(index);
      }
    }
  }

  bool FindAlone(Side side, std::vector<TermShare>& alone) {
    alone.assign(output_count_, {});
    if (b_count_ == 0 && side == Side::kB) return true;
    const auto stands_alone = b_count_ == 0 ? std::optional(true) : StandsAlone(side);
    if (!stands_alone) return false;
    if (!*stands_alone) return true;
    auto shares = SharesOf(side, 0);
    if (!shares) return false;
    alone = std::move(*shares);
    return true;
  }

  bool FindShares() {
    if (!FindAlone(Side::kA, alone_a_) || !FindAlone(Side::kB, alone_b_)) return false;
    for (std::size_t e = 0; e < output_count_; ++e) {
      for (const auto& [index, times] : alone_a_[e]) formulas_[e].terms.push_back({index, kNoElement, times});
      for (const auto& [index, times] : alone_b_[e]) formulas_[e].terms.push_back({kNoElement, index, times});
    }
    if (b_count_ == 0) return true;
    auto of_a = SharesOf(Side::kA, 1);
    if (!of_a || !Holds(Side::kA, *of_a)) return false;
    auto of_b = SharesOf(Side::kB, 1);
    if (!of_b || !Holds(Side::kB, *of_b)) return false;
    TakeAway(*of_a, alone_a_);
    TakeAway(*of_b, alone_b_);
    shares_a_ = std::move(*of_a);
    shares_b_ = std::move(*of_b);
    return true;
  }

  /// Numbers for elements, from 1, so that two in one sum never have the same; empty where a sum has too
  /// many.
  static std::map<ElementIndex, std::size_t> Colours(const std::vector<TermShare>& shares) {
    std::map<ElementIndex, std::vector<std::size_t>> sums_of;
    for (std::size_t e = 0; e < shares.size(); ++e) {
      for (const auto& [index, times] : shares[e]) sums_of[index].push_back(e);
    }
    std::map<ElementIndex, std::size_t> colours;
    for (const auto& [index, sums] : sums_of) {
      std::vector<bool> taken(kMostColours + 2);
      for (const std::size_t e : sums) {
        for (const auto& [neighbour, times] : shares[e]) {
          if (const auto colour = colours.find(neighbour); colour != colours.end()) {
            taken[colour->second] = true;
          }
        }
      }
      std::size_t colour = 1;
      while (colour <= kMostColours && taken[colour]) ++colour;
      if (colour > kMostColours) return {};
      colours[index] = colour;
    }
    return colours;
  }

  /// By element of the output: each element's only partner, where it has just one.
  using Partners = std::vector<std::map<ElementIndex, ElementIndex>>;

  std::optional<Partners> PartnersOf(Side side) {
    const auto& mine = side == Side::kA ? shares_a_ : shares_b_;
    const auto& theirs = side == Side::kA ? shares_b_ : shares_a_;
    const auto& alone = side == Side::kA ? alone_a_ : alone_b_;
    const auto& alone_there = side == Side::kA ? alone_b_ : alone_a_;
    const auto my_colours = Colours(mine), their_colours = Colours(theirs);
    Partners partners(output_count_);
    if (my_colours.empty() || their_colours.empty()) return partners;
    const auto largest = [](const auto& colours) {
      std::size_t most = 0;
      for (const auto& [index, colour] : colours) most = std::max(most, colour);
      return most;
    };
    const std::size_t my_count = largest(my_colours), their_count = largest(their_colours);
    // By element of the output and of this side: the digits of the partner's colour, times its share.
    std::vector<std::map<ElementIndex, std::vector<std::int64_t>>> bits(output_count_);
    for (std::size_t first = 1; first <= my_count; first += digits_) {
      for (std::size_t bit = 0; (std::size_t{1} << bit) <= their_count; ++bit) {
        ProbeMemory here = side == Side::kA ? caller_.A() : caller_.B();
        ProbeMemory there = side == Side::kA ? caller_.B() : caller_.A();
        for (const auto& [index, colour] : my_colours) {
          if (colour >= first && colour < first + digits_) here.At(index) = scale_.Power(colour - first);
        }
        for (const auto& [index, colour] : their_colours) {
          if ((colour >> bit & 1) != 0) there.At(index) = 1;
        }
        const auto answer = CallWith(side, here, there);
        if (!answer) return std::nullopt;
        for (std::size_t e = 0; e < output_count_; ++e) {
          double value = (*answer)[e] - static_cast<double>(formulas_[e].constant);
          for (const auto& [index, times] : alone[e]) value -= static_cast<double>(times) * here.At(index);
          for (const auto& [index, times] : alone_there[e]) {
            value -= static_cast<double>(times) * there.At(index);
          }
          if (!usable_[e] || !IsWhole(value)) continue;
          const auto digits = DigitsOf(value, scale_);
          for (const auto& [index, times] : mine[e]) {
            const std::size_t colour = my_colours.at(index);
            if (colour >= first && colour < first + digits_) bits[e][index].push_back(digits[colour - first]);
          }
        }
      }
    }
    for (std::size_t e = 0; e < output_count_; ++e) {
      for (const auto& [index, times] : mine[e]) {
        std::size_t colour = 0;
        bool only_one = true;
        for (std::size_t bit = 0; bit < bits[e][index].size(); ++bit) {
          const std::int64_t digit = bits[e][index][bit];
          only_one = only_one && (digit == 0 || digit == times);
          if (digit != 0) colour |= std::size_t{1} << bit;
        }
        const auto partner = std::ranges::find_if(
            theirs[e], [&](const auto& each) { return their_colours.at(each.first) == colour; });
        if (only_one && partner != theirs[e].end()) partners[e][index] = partner->first;
      }
    }
    return partners;
  }

  static bool IsComplete(const TermShare& share, const std::map<ElementIndex, ElementIndex>& partners) {
    return std::ranges::all_of(share, [&](const auto& each) { return partners.contains(each.first); });
  }

  bool FindPairs() {
    if (b_count_ == 0) return true;
    const auto of_a = PartnersOf(Side::kA);
    if (!of_a) return false;
    std::optional<Partners> of_b;
    for (std::size_t e = 0; e < output_count_ && !of_b; ++e) {
      if (!usable_[e] || IsComplete(shares_a_[e], (*of_a)[e])) continue;
      of_b = PartnersOf(Side::kB);
      if (!of_b) return false;
    }
    for (std::size_t e = 0; e < output_count_; ++e) AddPairs(e, *of_a, of_b);
    return true;
  }

  void AddPairs(std::size_t e, const Partners& of_a, const std::optional<Partners>& of_b) {
    std::vector<ProbeTerm>& terms = formulas_[e].terms;
    TermShare left = shares_b_[e];
    for (const auto& [a, b] : of_a[e]) {
      terms.push_back({a, b, shares_a_[e].at(a)});
      left[b] -= shares_a_[e].at(a);
    }
    for (const auto& [b, times] : left) {
      if (times == 0 || !of_b || !(*of_b)[e].contains(b)) continue;
      const ElementIndex a = (*of_b)[e].at(b);
      if (!of_a[e].contains(a)) terms.push_back({a, b, times});
    }
    std::ranges::sort(terms, {}, [](const ProbeTerm& term) { return std::pair(term.a, term.b); });
  }

  /// Two fresh inputs: what predicts both is true.
  bool Verify() {
    for (int round = 0; round < 2; ++round) {
      ProbeMemory a = RandomSurroundings(random_, RandomArray(random_, caller_.A()));
      ProbeMemory b = RandomSurroundings(random_, RandomArray(random_, caller_.B()));
      std::vector<float> before(output_count_);
      FillRandomly(random_, before);
      const auto answer = caller_.Call(a, b, before);
      if (!answer) return false;
      for (std::size_t e = 0; e < output_count_; ++e) {
        const bool right = usable_[e] && (*answer)[e] == Predict(formulas_[e], a, b, before[e]);
        formulas_[e].known = right && (round == 0 || formulas_[e].known);
      }
    }
    return true;
  }

  static double Predict(const FoundFormula& formula, ProbeMemory& a, ProbeMemory& b, double before) {
    double sum = static_cast<double>(formula.constant) + static_cast<double>(formula.before_times) * before;
    for (const ProbeTerm& term : formula.terms) {
      double product = static_cast<double>(term.times);
      if (term.a != kNoElement) product *= a.At(term.a);
      if (term.b != kNoElement) product *= b.At(term.b);
      sum += product;
    }
    return sum;
  }

  Caller caller_;
  const DigitScale scale_;
  const std::size_t digits_, a_count_, b_count_, output_count_;
  RandomValues random_;
  std::vector<FoundFormula> formulas_;
  std::vector<bool> usable_;  ///< By element of the output: whole numbers so far.
  bool leaves_a_ = false, leaves_b_ = false;
  Answer without_;  ///< Of the latest SharesOf: what is there without its side.
  bool is_last_ = false, runs_over_ = false;
  std::vector<TermShare> alone_a_, alone_b_, shares_a_, shares_b_;
};

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

/// One that moves elements is told by two calls: each element holds its own number.
class MoveSearch {
 public:
  MoveSearch(const ProbedFunction& function, std::size_t a_count, std::size_t output_count, Budget& budget)
      : caller_(function, a_count, 0, output_count, budget), a_count_(a_count), output_count_(output_count) {}

  /// Empty where the function does something else than to move, too.
  ProbeResult Run() {
    ProbeResult result;
    std::vector<FoundFormula> formulas = Search();
    const bool any = std::ranges::any_of(formulas, &FoundFormula::known);
    if (any) result.formulas = std::move(formulas);
    return result;
  }

 private:
  // Numbers of elements, of what is around the array, and of what the output held before.
  float NumberOf(ElementIndex index) const {
    return static_cast<float>(index + 1 + static_cast<ElementIndex>(ProbeMemory::kFront));
  }
  std::size_t Numbers() const { return ProbeMemory::kFront + a_count_ + ProbeMemory::kBack; }

  std::vector<FoundFormula> Search() {
    ProbeMemory a = caller_.A();
    if (a_count_ == 0 || Numbers() + output_count_ > std::size_t{1} << 23) return {};
    const auto end = static_cast<ElementIndex>(a_count_ + ProbeMemory::kBack);
    for (ElementIndex i = -static_cast<ElementIndex>(ProbeMemory::kFront); i < end; ++i) {
      a.At(i) = NumberOf(i);
    }
    std::vector<float> before(output_count_);
    for (std::size_t i = 0; i < output_count_; ++i) before[i] = static_cast<float>(Numbers() + 1 + i);
    const auto answer = caller_.Call(a, caller_.B(), before);
    if (!answer) return {};
    std::vector<FoundFormula> formulas(output_count_);
    for (std::size_t i = 0; i < output_count_; ++i) {
      FoundFormula& formula = formulas[i];
      formula.element = i;
      const double value = (*answer)[i];
      if (!IsWhole(value) || value < 0) continue;
      const auto number = static_cast<std::size_t>(value);
      formula.known = true;
      if (number == 0) continue;
      if (number <= Numbers()) {
        formula.terms = {
            {static_cast<ElementIndex>(number) - 1 - static_cast<ElementIndex>(ProbeMemory::kFront),
             kNoElement, 1}};
      } else {
        formula.before_times = 1;
        formula.known = number == Numbers() + 1 + i;
      }
    }
    return Verify(formulas) ? formulas : std::vector<FoundFormula>();
  }

  bool Verify(std::vector<FoundFormula>& formulas) {
    RandomValues random(kSeed);
    ProbeMemory a = RandomSurroundings(random, RandomArray(random, caller_.A()));
    std::vector<float> before(output_count_);
    FillRandomly(random, before);
    const auto answer = caller_.Call(a, caller_.B(), before);
    if (!answer) return false;
    for (FoundFormula& formula : formulas) {
      const double expected = formula.terms.empty()
                                  ? static_cast<double>(formula.before_times) * before[formula.element]
                                  : a.At(formula.terms.front().a);
      formula.known = formula.known && (*answer)[formula.element] == expected;
    }
    return true;
  }

  Caller caller_;
  const std::size_t a_count_, output_count_;
};

std::ptrdiff_t KnownOf(const ProbeResult& result) {
  return std::ranges::count_if(result.formulas, &FoundFormula::known);
}

/// By the first scale by which all formulas are known; by the best of them where none is such.
ProbeResult SearchByScales(const ProbedFunction& function, std::size_t a_count, std::size_t b_count,
                           std::size_t output_count, Budget& budget,
                           std::initializer_list<DigitScale> scales) {
  ProbeResult best;
  for (const DigitScale& scale : scales) {
    BilinearSearch search(function, a_count, b_count, output_count, budget, scale);
    ProbeResult result = search.Run(&scale == scales.end() - 1);
    if (search.runs_over()) continue;
    const bool ended = result.formulas.empty();
    if (best.formulas.empty() || KnownOf(result) > KnownOf(best)) best = std::move(result);
    if (ended || KnownOf(best) == std::ssize(best.formulas)) break;
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
