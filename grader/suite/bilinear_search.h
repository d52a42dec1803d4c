// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "grader/suite/probe_calls.h"

namespace warplings::probing {

/// Finds the formulas of a function that is linear in A and in B, or in A alone, with one scale of digits.
/// probe.h says how.
class BilinearSearch {
 public:
  /// `product`: what is supposed first; null: nothing.
  BilinearSearch(const ProbedFunction& function, std::size_t a_count, std::size_t b_count,
                 std::size_t output_count, Budget& budget, const DigitScale& scale,
                 const ProductShape* product)
      : caller_(function, a_count, b_count, output_count, budget),
        scale_(scale),
        product_(product),
        digits_(static_cast<std::size_t>(scale.count)),
        a_count_(a_count),
        b_count_(b_count),
        output_count_(output_count),
        random_(kSeed) {}

  /// `is_first`, `is_last`: there is a larger scale to go to where something is passed over; there is none
  /// where digits run over.
  ProbeResult Run(bool is_first, bool is_last);

  /// Whether Run() gave up because an element takes part more often than a digit holds.
  bool runs_over() const { return runs_over_; }
  /// Elements of the output that hold fractions, or what is no number: no scale finds their formulas.
  std::ptrdiff_t CountLost() const { return std::ranges::count(lost_, true); }

 private:
  enum class Side { kA, kB };
  static Side OtherThan(Side side) { return side == Side::kA ? Side::kB : Side::kA; }
  ProbeMemory ZerosFor(Side side) const { return side == Side::kA ? caller_.A() : caller_.B(); }

  bool Search();

  /// Whether `value`, of this element of the output, can be read; once one cannot be, none is.
  bool IsReadable(std::size_t e, double value);

  /// What is there with inputs of 0, and what becomes of what the output held before.
  bool FindConstants();

  /// Whether anything is read around the arrays.
  bool FindSurroundings();

  /// Only of elements that can be read at all: what is not a number differs from itself.
  bool Differ(const Answer& one, const Answer& other) const;

  /// All elements that are looked at.
  std::vector<ElementIndex> IndicesOf(Side side) const;

  /// What is looked at around an array, in parts. Who leaves an array mostly stays near its end.
  std::vector<std::vector<ElementIndex>> PartsAround(Side side) const;

  /// Leaves out the parts around an array in which nothing is read, since each of their elements costs as
  /// much as one of the array. One call tells: a part's elements all hold the part's power. Where an element
  /// of the output reads more of a part than a digit holds, its formula will not be true, and the next scale
  /// looks at all of them.
  bool NarrowAround(Side side);

  /// Which elements around the arrays are looked at.
  bool ChooseAround();

  // --- What is supposed of a product. ---

  std::size_t LinesOf(Side side) const { return side == Side::kA ? product_->rows : product_->columns; }
  /// The row of A, or the column of B, that belongs to an element of the output.
  std::size_t LineFor(Side side, std::size_t e) const {
    return side == Side::kA ? e / product_->columns : e % product_->columns;
  }
  /// A[line][i] or B[i][line].
  ElementIndex ElementOf(Side side, std::size_t i, std::size_t line) const {
    const bool by_i = side == Side::kB || product_->a_by_columns;
    return static_cast<ElementIndex>(by_i ? i * LinesOf(side) + line : line * product_->inner + i);
  }

  struct Supposed {
    ElementIndex element = kNoElement;
    std::int64_t times = 0;
  };
  /// By element of the output and by i; empty where what is supposed does not hold.
  using SupposedShares = std::vector<std::vector<Supposed>>;

  /// Which line's element a digit stands for: one of another line once, or the right one so many times.
  std::optional<Supposed> ElementOfDigit(Side side, std::size_t i, std::int64_t digit, std::size_t e) const;

  /// Two i a call: the elements of each hold numbers, all others 0.
  SupposedShares SupposedSharesOf(Side side);

  static TermShare ShareOf(const std::vector<Supposed>& supposed);

  /// True: what is supposed holds, and all formulas are found that can be.
  bool FindAsSupposed();

  bool AllAreKnown() const;

  /// In the order of FoundFormula::terms.
  static void Sort(std::vector<ProbeTerm>& terms);

  void ForgetTerms() {
    for (FoundFormula& formula : formulas_) formula.terms.clear();
  }

  ProbeMemory Filled(Side side, float value) const;

  std::optional<Answer> CallWith(Side side, const ProbeMemory& mine, const ProbeMemory& others) {
    return side == Side::kA ? caller_.Call(mine, others) : caller_.Call(others, mine);
  }

  /// How often each element of `side` takes part while all of the other side hold `other`, by element of the
  /// output. What is there without it is left out.
  std::optional<std::vector<TermShare>> SharesOf(Side side, float other);

  /// Whether SharesOf(side, 1) hold for other numbers, too. Asked before the other side is, as a digit that
  /// runs over is counted for the next element.
  bool Holds(Side side, const std::vector<TermShare>& shares);

  /// Does an input take part without the other?
  std::optional<bool> StandsAlone(Side side);

  static void TakeAway(std::vector<TermShare>& shares, const std::vector<TermShare>& alone);

  bool FindAlone(Side side, std::vector<TermShare>& alone);

  bool FindShares();

  /// Numbers for elements, from 1, so that two in one sum never have the same; empty where a sum has too
  /// many.
  static std::map<ElementIndex, std::size_t> Colours(const std::vector<TermShare>& shares);

  /// By element of the output: each element's only partner, where it has just one.
  using Partners = std::vector<std::map<ElementIndex, ElementIndex>>;

  std::optional<Partners> PartnersOf(Side side);

  static bool IsComplete(const TermShare& share, const std::map<ElementIndex, ElementIndex>& partners) {
    return std::ranges::all_of(share, [&](const auto& each) { return partners.contains(each.first); });
  }

  bool FindPairs();

  void AddPairs(std::size_t e, const Partners& of_a, const std::optional<Partners>& of_b);

  /// Two fresh inputs: what predicts both is true.
  bool Verify();

  static double Predict(const FoundFormula& formula, ProbeMemory& a, ProbeMemory& b, double before);

  Caller caller_;
  const DigitScale scale_;
  const ProductShape* const product_;
  const std::size_t digits_, a_count_, b_count_, output_count_;
  RandomValues random_;
  std::vector<FoundFormula> formulas_;
  std::vector<bool> usable_;  ///< By element of the output: whole numbers so far.
  std::vector<bool> lost_;    ///< By element of the output: as CountLost() has it.
  bool leaves_a_ = false, leaves_b_ = false;
  Answer without_;  ///< Of the latest SharesOf: what is there without its side.
  bool is_first_ = false, is_last_ = false, runs_over_ = false;
  std::vector<ElementIndex> around_a_, around_b_;  ///< Outside the arrays, of those that are looked at.
  std::vector<TermShare> alone_a_, alone_b_, shares_a_, shares_b_;
};

}  // namespace warplings::probing
