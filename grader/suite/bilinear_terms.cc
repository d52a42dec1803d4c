// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include "grader/suite/bilinear_search.h"

namespace warplings::probing {

// Which elements take part in a sum, and which of A is multiplied with which of B, with nothing supposed.

namespace {

/// More numbers than elements meet in one sum of a small call.
constexpr std::size_t kMostColours = 62;

}  // namespace

std::optional<std::vector<TermShare>> BilinearSearch::SharesOf(Side side, float other) {
  const ProbeMemory others = Filled(OtherThan(side), other);
  const ProbeMemory none = ZerosFor(side);
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
      if (!IsReadable(e, value)) continue;
      const auto digits = DigitsOf(value, scale_);
      for (std::size_t i = first; i < end; ++i) {
        if (digits[i - first] != 0) shares[e][indices[i]] = digits[i - first];
      }
    }
  }
  return shares;
}

bool BilinearSearch::Holds(Side side, const std::vector<TermShare>& shares) {
  if (is_last_) return true;
  const ProbeMemory others = Filled(OtherThan(side), 1);
  RandomValues random(kSeed + 2);
  ProbeMemory mine = RandomArray(random, ZerosFor(side));
  const auto answer = CallWith(side, mine, others);
  if (!answer) return false;
  for (std::size_t e = 0; e < output_count_; ++e) {
    double expected = without_[e];
    for (const auto& [index, times] : shares[e]) expected += static_cast<double>(times) * mine.At(index);
    runs_over_ = runs_over_ || (usable_[e] && (*answer)[e] != expected);
  }
  return !runs_over_;
}

std::optional<bool> BilinearSearch::StandsAlone(Side side) {
  RandomValues random(kSeed + 1);
  ProbeMemory mine = RandomArray(random, ZerosFor(side));
  const auto answer = CallWith(side, mine, ZerosFor(OtherThan(side)));
  if (!answer) return std::nullopt;
  for (std::size_t e = 0; e < output_count_; ++e) {
    if (usable_[e] && (*answer)[e] != static_cast<double>(formulas_[e].constant)) return true;
  }
  return false;
}

void BilinearSearch::TakeAway(std::vector<TermShare>& shares, const std::vector<TermShare>& alone) {
  for (std::size_t e = 0; e < alone.size(); ++e) {
    for (const auto& [index, times] : alone[e]) {
      if ((shares[e][index] -= times) == 0) shares[e].erase(index);
    }
  }
}

bool BilinearSearch::FindAlone(Side side, std::vector<TermShare>& alone) {
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

bool BilinearSearch::FindShares() {
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

std::map<ElementIndex, std::size_t> BilinearSearch::Colours(const std::vector<TermShare>& shares) {
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

auto BilinearSearch::PartnersOf(Side side) -> std::optional<Partners> {
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
      ProbeMemory here = ZerosFor(side);
      ProbeMemory there = ZerosFor(OtherThan(side));
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

bool BilinearSearch::FindPairs() {
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

void BilinearSearch::AddPairs(std::size_t e, const Partners& of_a, const std::optional<Partners>& of_b) {
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
  Sort(terms);
}

}  // namespace warplings::probing
