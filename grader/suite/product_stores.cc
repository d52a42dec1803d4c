// SPDX-License-Identifier: Apache-2.0
// Elements that nobody stores, and what sums hold besides products.
#include <algorithm>

#include "grader/suite/product_facts.h"

namespace warplings::product_facts {
namespace {

class Stores : FactFinder {
 public:
  explicit Stores(Findings& findings) : FactFinder(findings) {}

  void Find() {
    const auto all = product_.probed().formulas.size();
    if (facts_.untouched == all) {
      Say(contract().launch == "none" ? "No kernel is launched, and no element of P is stored."
                                      : "No element of P is stored at all.");
    } else if (facts_.untouched > 0 && facts_.adds_before == 0 && !DescribeGaps()) {
      // Where sums are added to what was there, a sum without any product leaves it as it was.
      const auto first = std::ranges::find_if(known_, &FoundFormula::IsUntouched);
      Say(CountOf(static_cast<std::int64_t>(facts_.untouched), "element") + " of P " +
          (facts_.untouched == 1 ? "is" : "are") + " never stored, the first is " +
          product_.NameOf((*first)->element) + ".");
    }
    // Of a kernel other causes leave as much.
    if (contract().launch == "none" && IsFirstQuarter()) {
      Say("Just the first quarter of P is stored, as many bytes as P has elements: in which unit does the "
          "call that stores it count?");
    } else if (facts_.untouched > 0 && facts_.untouched < all && facts_.adds_before == 0) {
      DescribeLaunch();
    }
    if (facts_.adds_before > 0) {
      const auto first = std::ranges::find_if(
          known_, [](const FoundFormula* f) { return !f->IsUntouched() && f->before_times != 0; });
      Say("What P held before the call is in the sum of " + product_.NameOf((*first)->element) +
          (facts_.adds_before > 1
               ? " and of " + CountOf(static_cast<std::int64_t>(facts_.adds_before) - 1, "more element")
               : std::string()) +
          ": which line sets that element to 0 before anything is added to it?");
    }
    if (facts_.with_constant > 0) {
      const auto first = std::ranges::find_if(known_, [](const FoundFormula* f) { return f->constant != 0; });
      const std::int64_t constant = (*first)->constant;
      Say(product_.NameOf((*first)->element) + " has " + Text(constant < 0 ? -constant : constant) + " too " +
          (constant < 0 ? "little" : "much") + " whatever M and N hold, even zeros: something else is added" +
          (IsOfEmptyPlaces(constant) ? ", such as places of a tile that hold no element." : "."));
    }
  }

 private:
  /// The same number for each place of the last phase without an element. One place alone may give any.
  bool IsOfEmptyPlaces(std::int64_t constant) const {
    const std::int64_t tile = contract().has_tiles ? contract().tile : 0;
    if (tile <= 1) return false;
    const std::int64_t empty = (tile - product_.inner() % tile) % tile;
    return empty > 1 && constant % empty == 0;
  }

  /// From which row and which column on nothing is stored; as many as there are where that is no reason.
  bool DescribeGaps() {
    if (facts_.unknown > 0) return false;
    std::int64_t row = product_.rows(), column = product_.columns();
    for (const FoundFormula* f : known_) {
      if (!f->IsUntouched()) continue;
      const std::int64_t r = product_.RowOf(f->element), c = product_.ColumnOf(f->element);
      const bool row_starts_empty = At(r, 0) != nullptr && At(r, 0)->IsUntouched();
      const bool column_starts_empty = At(0, c) != nullptr && At(0, c)->IsUntouched();
      if (row_starts_empty) row = std::min(row, r);
      if (column_starts_empty) column = std::min(column, c);
    }
    for (const FoundFormula* f : known_) {
      const bool inside = product_.RowOf(f->element) >= row || product_.ColumnOf(f->element) >= column;
      if (inside != f->IsUntouched()) return false;
    }
    std::string where;
    if (row < product_.rows()) where = "from row " + Text(row) + " on";
    if (column < product_.columns()) {
      where += std::string(where.empty() ? "" : " or ") + "from column " + Text(column) + " on";
    }
    Say("No thread stores the elements of P " + where + ".");
    return true;
  }

  const FoundFormula* At(std::int64_t row, std::int64_t column) const {
    const auto index = static_cast<std::size_t>(row * product_.columns() + column);
    const FoundFormula& formula = product_.probed().formulas[index];
    return formula.known ? &formula : nullptr;
  }

  /// Whole elements of them; one more may be stored in part, and is then not known.
  bool IsFirstQuarter() const {
    const std::size_t all = product_.probed().formulas.size(), quarter = all / sizeof(float);
    if (quarter == 0 || all < 2 * sizeof(float)) return false;
    return std::ranges::all_of(known_, [&](const FoundFormula* f) {
      const bool in_part = f->element == quarter && all % sizeof(float) != 0;
      return in_part || f->IsUntouched() == (f->element >= quarter);
    });
  }

  /// Of a launch that leaves elements out: whether it has threads for all of them.
  void DescribeLaunch() {
    if (contract().threads == 0) return;
    const auto first = std::ranges::find_if(known_, &FoundFormula::IsUntouched);
    const auto elements = static_cast<std::uint64_t>(product_.rows() * product_.columns());
    const std::string place = product_.NameOf((*first)->element);
    if (contract().threads < elements) {
      Say("The launch has " + contract().launch + ", fewer threads than P has elements (" +
          std::to_string(elements) + "): which thread is to store " + place + "?");
    } else {
      Say("The launch has " + contract().launch + ": which block and thread is to store " + place +
          ", and which elements does that thread store?");
    }
  }
};

}  // namespace

void FindStores(Findings& findings) {
  Stores(findings).Find();
}

}  // namespace warplings::product_facts
