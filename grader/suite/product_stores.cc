// SPDX-License-Identifier: Apache-2.0
// Elements that nobody stores, and what sums hold besides products.
#include <algorithm>
#include <cstdlib>

#include "grader/suite/product_facts.h"

namespace warplings::product_facts {
namespace {

class Stores : FactFinder {
 public:
  explicit Stores(Findings& findings) : FactFinder(findings) {}

  void Find() {
    const auto all = product_.probed().formulas.size();
    const bool nothing_launched = contract().launched == ProductContract::Launched::kNothing;
    if (facts_.untouched == all) {
      Say(nothing_launched ? say::product_nothing_launched() : say::product_nothing_stored());
    } else if (nothing_launched && IsFirstQuarter()) {
      // Of a kernel other causes leave as much.
      Say(say::product_first_quarter(all, all * sizeof(float)));
    } else if (facts_.untouched > 0 && facts_.adds_before == 0 && !DescribeGaps()) {
      // Where sums are added to what was there, a sum without any product leaves it as it was.
      const auto first = std::ranges::find_if(known_, &FoundFormula::IsUntouched);
      const std::string name = product_.NameOf((*first)->element);
      Say(facts_.untouched == 1 ? say::product_one_not_stored(name)
                                : say::product_some_not_stored(facts_.untouched, name));
    }
    if (facts_.untouched > 0 && facts_.untouched < all && facts_.adds_before == 0 && !nothing_launched)
      DescribeLaunch();
    if (facts_.adds_before > 0) {
      const auto first = std::ranges::find_if(
          known_, [](const FoundFormula* f) { return !f->IsUntouched() && f->before_times != 0; });
      const std::string name = product_.NameOf((*first)->element);
      Say(facts_.adds_before == 1 ? say::product_adds_before(name)
          : facts_.adds_before == all
              ? say::product_adds_before_in_all()
              : say::product_adds_before_in_more(name, {facts_.adds_before - 1, "more element"}));
    }
    if (facts_.with_constant > 0) DescribeConstant();
  }

 private:
  void DescribeConstant() {
    const auto first = std::ranges::find_if(known_, [](const FoundFormula* f) { return f->constant != 0; });
    const std::int64_t constant = (*first)->constant, size = std::abs(constant);
    const std::string name = product_.NameOf((*first)->element);
    if (const std::int64_t places = EmptyPlaces(constant); places > 0) {
      const auto& row = constant < 0 ? say::product_empty_places_less : say::product_empty_places_more;
      Say(row(name, size, size / places, places));
    } else {
      Say(constant < 0 ? say::product_constant_less(name, size) : say::product_constant_more(name, size));
    }
  }

  /// The places of the last phase without an element, if each of them may add the same number to this
  /// constant; else 0. One place alone may give any.
  std::int64_t EmptyPlaces(std::int64_t constant) const {
    const std::int64_t tile = contract().has_tiles ? contract().tile : 0;
    if (tile <= 1) return 0;
    const std::int64_t empty = (tile - product_.inner() % tile) % tile;
    return empty > 1 && constant % empty == 0 ? empty : 0;
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
    // An element is missing, so that one of the two lies inside.
    if (column == product_.columns()) {
      Say(say::product_rows_not_stored(row));
    } else if (row == product_.rows()) {
      Say(say::product_columns_not_stored(column));
    } else {
      Say(say::product_edges_not_stored(row, column));
    }
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
    if (contract().launched != ProductContract::Launched::kOnce) return;
    const auto first = std::ranges::find_if(known_, &FoundFormula::IsUntouched);
    const auto elements = static_cast<std::uint64_t>(product_.rows() * product_.columns());
    const std::uint64_t threads = contract().grid.Volume() * contract().block.Volume();
    const std::string place = product_.NameOf((*first)->element);
    const Message blocks = Extent(contract().grid, "block"), of_threads = Extent(contract().block, "thread");
    // Nothing from the row on that the launch has no threads for, or from the column on.
    const std::int64_t down = std::int64_t{contract().grid.y} * contract().block.y;
    const std::int64_t across = std::int64_t{contract().grid.x} * contract().block.x;
    // More blocks than the other side needs may be numbered along one line, and lie anywhere.
    const bool no_more_across = across - contract().block.x < product_.columns();
    const bool no_more_down = down - contract().block.y < product_.rows();
    if (no_more_across && across >= product_.columns() && down > 1 &&
        down == FirstEmpty(product_.rows(), true)) {
      return Say(say::product_launch_has_rows(blocks, of_threads, down, product_.rows()));
    }
    if (no_more_down && down >= product_.rows() && down > 1 &&
        across == FirstEmpty(product_.columns(), false)) {
      return Say(say::product_launch_has_columns(blocks, of_threads, across, product_.columns()));
    }
    // Where no thread has the element's own row and column, threads or blocks share P out in another way.
    const bool has_its_place =
        product_.RowOf((*first)->element) < down && product_.ColumnOf((*first)->element) < across;
    if (threads < elements) return Say(say::product_too_few_threads(blocks, of_threads, elements, place));
    if (contract().block.y <= 1 || has_its_place)
      return Say(say::product_enough_threads(blocks, of_threads, place));
    const std::int64_t tiles =
        Pieces(product_.rows(), contract().block.y) * Pieces(product_.columns(), contract().block.x);
    const say::Count of_that_size(tiles, "tile");
    Say(contract().grid.Volume() < static_cast<std::uint64_t>(tiles)
            ? say::product_fewer_blocks_than_tiles(blocks, of_threads, of_that_size)
            : say::product_block_for_each_tile(blocks, of_threads, of_that_size, place));
  }

  static std::int64_t Pieces(std::int64_t length, std::int64_t piece) { return (length + piece - 1) / piece; }

  /// From which row, or column, on nothing is stored, of which all before is stored; `end` where there is
  /// none.
  std::int64_t FirstEmpty(std::int64_t end, bool rows) const {
    const auto line_of = [&](const FoundFormula* f) {
      return rows ? product_.RowOf(f->element) : product_.ColumnOf(f->element);
    };
    std::int64_t first = end;
    for (const FoundFormula* f : known_) {
      if (f->IsUntouched()) first = std::min(first, line_of(f));
    }
    const bool is_edge = std::ranges::all_of(
        known_, [&](const FoundFormula* f) { return f->IsUntouched() == (line_of(f) >= first); });
    return is_edge ? first : end;
  }

  /// "3 blocks", "2 x 3 blocks".
  static Message Extent(const Dim3& extent, const std::string& noun) {
    if (extent.z > 1) return say::extent_in_three(extent.x, extent.y, {extent.z, noun});
    return extent.y > 1 ? say::extent_in_two(extent.x, {extent.y, noun})
                        : say::extent_in_one({extent.x, noun});
  }
};

}  // namespace

void FindStores(Findings& findings) {
  Stores(findings).Find();
}

}  // namespace warplings::product_facts
