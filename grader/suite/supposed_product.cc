// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include "grader/suite/bilinear_search.h"

namespace warplings::probing {

// A product is supposed to take one element of A and one of B at most for each i: numbers, not digits, tell
// which it takes.

namespace {

/// Numbers of two elements together never look like one number, and up to seven times one fits a digit.
constexpr std::int64_t kFirstNumber = 128, kEndOfNumbers = 256;

}  // namespace

auto BilinearSearch::ElementOfDigit(Side side, std::size_t i, std::int64_t digit, std::size_t e) const
    -> std::optional<Supposed> {
  if (digit == 0) return Supposed();
  const auto lines = static_cast<std::int64_t>(LinesOf(side));
  if (digit >= kFirstNumber && digit < kFirstNumber + lines)
    return Supposed{ElementOf(side, i, static_cast<std::size_t>(digit - kFirstNumber)), 1};
  const std::size_t right = LineFor(side, e);
  const std::int64_t number = kFirstNumber + static_cast<std::int64_t>(right);
  if (digit % number != 0) return std::nullopt;
  return Supposed{ElementOf(side, i, right), digit / number};
}

auto BilinearSearch::SupposedSharesOf(Side side) -> SupposedShares {
  const DigitScale& scale = kVeryManyTimes;
  const auto slots = static_cast<std::size_t>(scale.count);
  const ProbeMemory others = Filled(OtherThan(side), 1);
  SupposedShares shares(output_count_, std::vector<Supposed>(product_->inner));
  for (std::size_t first = 0; first < product_->inner; first += slots) {
    const std::size_t end = std::min(first + slots, product_->inner);
    ProbeMemory mine = ZerosFor(side);
    for (std::size_t i = first; i < end; ++i) {
      for (std::size_t line = 0; line < LinesOf(side); ++line) {
        mine.At(ElementOf(side, i, line)) =
            scale.Power(i - first) * static_cast<float>(kFirstNumber + static_cast<std::int64_t>(line));
      }
    }
    const auto answer = CallWith(side, mine, others);
    if (!answer) return {};
    for (std::size_t e = 0; e < output_count_; ++e) {
      const double value = (*answer)[e] - static_cast<double>(formulas_[e].constant);
      // What cannot be read here may be readable without the supposition.
      if (!usable_[e]) continue;
      if (!IsWhole(value)) return {};
      const auto digits = DigitsOf(value, scale);
      for (std::size_t i = first; i < end; ++i) {
        const auto supposed = ElementOfDigit(side, i, digits[i - first], e);
        if (!supposed) return {};
        shares[e][i] = *supposed;
      }
    }
  }
  return shares;
}

TermShare BilinearSearch::ShareOf(const std::vector<Supposed>& supposed) {
  TermShare share;
  for (const Supposed& each : supposed) {
    if (each.times != 0) share[each.element] = each.times;
  }
  return share;
}

bool BilinearSearch::FindAsSupposed() {
  const bool is_possible = is_first_ && product_ != nullptr && !leaves_a_ && !leaves_b_ &&
                           std::max(product_->rows, product_->columns) <= kEndOfNumbers - kFirstNumber;
  if (!is_possible) return false;
  const SupposedShares of_a = SupposedSharesOf(Side::kA);
  const SupposedShares of_b = of_a.empty() ? of_a : SupposedSharesOf(Side::kB);
  if (of_b.empty()) return false;
  bool are_pairs = true;
  for (std::size_t e = 0; e < output_count_; ++e) {
    for (std::size_t i = 0; i < product_->inner; ++i) {
      are_pairs = are_pairs && of_a[e][i].times == of_b[e][i].times;
      if (of_a[e][i].times != 0)
        formulas_[e].terms.push_back({of_a[e][i].element, of_b[e][i].element, of_a[e][i].times});
    }
    Sort(formulas_[e].terms);
  }
  if (are_pairs && Verify() && AllAreKnown()) return true;
  ForgetTerms();
  // An element of A may be multiplied with one of B of another i.
  for (std::size_t e = 0; e < output_count_; ++e) {
    shares_a_.push_back(ShareOf(of_a[e]));
    shares_b_.push_back(ShareOf(of_b[e]));
  }
  alone_a_.assign(output_count_, {});
  alone_b_.assign(output_count_, {});
  if (!are_pairs && FindPairs() && Verify() && AllAreKnown()) return true;
  ForgetTerms();
  return false;
}

}  // namespace warplings::probing
