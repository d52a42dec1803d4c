// SPDX-License-Identifier: Apache-2.0
#include "grader/suite/bilinear_search.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace warplings::probing {

ProbeResult BilinearSearch::Run(bool is_first, bool is_last) {
  is_first_ = is_first;
  is_last_ = is_last;
  ProbeResult result;
  if (Search()) {
    result.formulas = std::move(formulas_);
    result.leaves_a = leaves_a_;
    result.leaves_b = leaves_b_;
  }
  return result;
}

bool BilinearSearch::Search() {
  formulas_.resize(output_count_);
  usable_.assign(output_count_, true);
  lost_.assign(output_count_, false);
  for (std::size_t i = 0; i < output_count_; ++i) formulas_[i].element = i;
  return FindConstants() && FindSurroundings() && ChooseAround() &&
         (FindAsSupposed() || (FindShares() && FindPairs() && Verify()));
}

bool BilinearSearch::IsReadable(std::size_t e, double value) {
  if (!IsWhole(value)) {
    usable_[e] = false;
    lost_[e] = lost_[e] || !std::isfinite(value) || value != std::floor(value);
  }
  return usable_[e];
}

bool BilinearSearch::FindConstants() {
  std::vector<float> before(output_count_);
  for (std::size_t i = 0; i < output_count_; ++i) before[i] = static_cast<float>(4099 + 3 * i);
  const auto kept = caller_.Call(caller_.A(), caller_.B(), before);
  if (!kept) return false;
  // Mostly each element is 0 then, or holds what it held before, and that is all. NaN is none of its own.
  bool is_all = true;
  for (std::size_t i = 0; i < output_count_; ++i) {
    is_all = is_all && ((*kept)[i] == 0 || (*kept)[i] == before[i] || std::isnan((*kept)[i]));
  }
  const auto zero = is_all ? std::optional(Answer(output_count_)) : caller_.Call(caller_.A(), caller_.B());
  if (!zero) return false;
  for (std::size_t i = 0; i < output_count_; ++i) {
    const double times = ((*kept)[i] - (*zero)[i]) / before[i];
    if (!IsReadable(i, (*zero)[i]) || !IsReadable(i, times)) continue;
    formulas_[i].constant = static_cast<std::int64_t>((*zero)[i]);
    formulas_[i].before_times = static_cast<std::int64_t>(times);
  }
  return std::ranges::find(usable_, true) != usable_.end();
}

bool BilinearSearch::FindSurroundings() {
  const ProbeMemory a = RandomArray(random_, caller_.A()), b = RandomArray(random_, caller_.B());
  const ProbeMemory around_a = RandomSurroundings(random_, a), around_b = RandomSurroundings(random_, b);
  const auto plain = caller_.Call(a, b);
  const auto with_both = caller_.Call(around_a, around_b);
  if (!plain || !with_both) return false;
  if (!Differ(*plain, *with_both)) return true;
  if (b_count_ == 0) return leaves_a_ = true;
  const auto with_a = caller_.Call(around_a, b), with_b = caller_.Call(a, around_b);
  if (!with_a || !with_b) return false;
  leaves_a_ = Differ(*plain, *with_a);
  leaves_b_ = Differ(*plain, *with_b);
  // Where both are left, what is read around B may only be multiplied with what is around A.
  if (!leaves_a_ && !leaves_b_) leaves_a_ = leaves_b_ = true;
  return true;
}

bool BilinearSearch::Differ(const Answer& one, const Answer& other) const {
  for (std::size_t i = 0; i < output_count_; ++i) {
    if (usable_[i] && one[i] != other[i]) return true;
  }
  return false;
}

std::vector<ElementIndex> BilinearSearch::IndicesOf(Side side) const {
  const auto count = static_cast<ElementIndex>(side == Side::kA ? a_count_ : b_count_);
  std::vector<ElementIndex> indices = side == Side::kA ? around_a_ : around_b_;
  for (ElementIndex i = 0; i < count; ++i) indices.push_back(i);
  std::ranges::sort(indices);
  return indices;
}

std::vector<std::vector<ElementIndex>> BilinearSearch::PartsAround(Side side) const {
  const auto count = static_cast<ElementIndex>(side == Side::kA ? a_count_ : b_count_);
  constexpr auto kFront = static_cast<ElementIndex>(ProbeMemory::kFront);
  constexpr auto kBack = static_cast<ElementIndex>(ProbeMemory::kBack);
  if (count == 0) return {};
  std::vector<std::vector<ElementIndex>> parts(4);
  for (ElementIndex i = -kFront; i < 0; ++i) parts[0].push_back(i);
  for (ElementIndex i = 0; i < kBack; ++i) {
    parts[i < kBack / 4 ? 1 : i < kBack / 2 ? 2 : 3].push_back(count + i);
  }
  return parts;
}

bool BilinearSearch::NarrowAround(Side side) {
  std::vector<ElementIndex>& around = side == Side::kA ? around_a_ : around_b_;
  const std::vector<std::vector<ElementIndex>> parts = PartsAround(side);
  const ProbeMemory others = Filled(OtherThan(side), 1);
  ProbeMemory mine = ZerosFor(side);
  const auto without = CallWith(side, mine, others);
  for (std::size_t part = 0; part < parts.size(); ++part) {
    for (const ElementIndex index : parts[part]) mine.At(index) = kManyTimes.Power(part);
  }
  const auto with = CallWith(side, mine, others);
  if (!without || !with) return false;
  std::vector<bool> is_read(parts.size());
  for (std::size_t e = 0; e < output_count_; ++e) {
    const double value = (*with)[e] - (*without)[e];
    if (!usable_[e] || !IsWhole(value)) continue;
    const auto digits = DigitsOf(value, kManyTimes);
    for (std::size_t part = 0; part < parts.size(); ++part) {
      if (digits[part] != 0) is_read[part] = true;
    }
  }
  around.clear();
  for (std::size_t part = 0; part < parts.size(); ++part) {
    if (is_read[part]) around.insert(around.end(), parts[part].begin(), parts[part].end());
  }
  return true;
}

bool BilinearSearch::ChooseAround() {
  for (const Side side : {Side::kA, Side::kB}) {
    const bool leaves = side == Side::kA ? leaves_a_ : leaves_b_;
    if (!leaves) continue;
    for (const auto& part : PartsAround(side)) {
      std::vector<ElementIndex>& around = side == Side::kA ? around_a_ : around_b_;
      around.insert(around.end(), part.begin(), part.end());
    }
  }
  if (b_count_ == 0 || !is_first_) return true;
  return (!leaves_a_ || NarrowAround(Side::kA)) && (!leaves_b_ || NarrowAround(Side::kB));
}

ProbeMemory BilinearSearch::Filled(Side side, float value) const {
  ProbeMemory memory = ZerosFor(side);
  for (const ElementIndex index : IndicesOf(side)) memory.At(index) = value;
  return memory;
}

bool BilinearSearch::Verify() {
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

void BilinearSearch::Sort(std::vector<ProbeTerm>& terms) {
  std::ranges::sort(terms, {}, [](const ProbeTerm& term) { return std::pair(term.a, term.b); });
}

bool BilinearSearch::AllAreKnown() const {
  for (std::size_t e = 0; e < output_count_; ++e) {
    if (usable_[e] && !formulas_[e].known) return false;
  }
  return true;
}

double BilinearSearch::Predict(const FoundFormula& formula, ProbeMemory& a, ProbeMemory& b, double before) {
  double sum = static_cast<double>(formula.constant) + static_cast<double>(formula.before_times) * before;
  for (const ProbeTerm& term : formula.terms) {
    double product = static_cast<double>(term.times);
    if (term.a != kNoElement) product *= a.At(term.a);
    if (term.b != kNoElement) product *= b.At(term.b);
    sum += product;
  }
  return sum;
}

}  // namespace warplings::probing
