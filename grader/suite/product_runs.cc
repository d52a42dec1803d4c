// SPDX-License-Identifier: Apache-2.0
// Which products every sum lacks, repeats or has too many of.
#include <algorithm>
#include <vector>

#include "grader/suite/product_facts.h"

namespace warplings::product_facts {
namespace {

class Runs : FactFinder {
 public:
  explicit Runs(Findings& findings) : FactFinder(findings) {}

  void Find() {
    const std::int64_t inner = product_.inner();
    const auto end = static_cast<std::int64_t>(facts_.times.size());
    for (std::int64_t i = 0; i < std::min(inner, end); ++i) {
      if (facts_.times[static_cast<std::size_t>(i)] == 0) missing_.push_back(i);
    }
    std::vector<std::int64_t> behind;  // Each i behind the last product that a sum includes.
    bool only_too_long = HasEachOnceBefore(inner);
    for (std::int64_t first = 0; first < end;) {
      std::int64_t last = first;
      const std::int64_t times = facts_.times[static_cast<std::size_t>(first)];
      const bool inside = first < inner;
      while (last + 1 < end && facts_.times[static_cast<std::size_t>(last + 1)] == times &&
             (last + 1 < inner) == inside) {
        ++last;
      }
      if (inside && times == 0) DescribeMissing(first, last);
      if (inside && times > 1) DescribeRepeated(first, last, times);
      if (!inside && times != 0) {
        only_too_long &= behind.empty() && first == inner && times == 1;
        for (std::int64_t i = first; i <= last; ++i) behind.push_back(i);
      }
      first = last + 1;
    }
    if (behind.empty() || inner == 0) return;
    if (only_too_long) return DescribeTooMany(end);
    // With gaps between them, their number says nothing.
    Say(say::product_beyond_last(Ranges(behind), inner - 1));
  }

 private:
  /// The width of a tile; 0: unknown, or there are none.
  std::int64_t Tile() const { return contract().has_tiles ? contract().tile : 0; }

  /// Each product with an i below `end` is there, and just once: only then does `end` count them.
  bool HasEachOnceBefore(std::int64_t end) const {
    const auto size = static_cast<std::int64_t>(facts_.times.size());
    return end <= size && std::all_of(facts_.times.begin(), facts_.times.begin() + end,
                                      [](std::int64_t times) { return times == 1; });
  }

  /// In a last phase that is not full: the places of the tile behind its elements, with what an earlier phase
  /// left there: the one before, or, with two buffers, the one before that.
  bool AreLeftFromAnEarlierPhase(std::int64_t first, std::int64_t last) const {
    const std::int64_t tile = Tile(), inner = product_.inner();
    if (tile <= 1 || inner <= tile || inner % tile == 0) return false;
    const std::int64_t last_phase = inner / tile * tile;
    return last < last_phase && first % tile == inner % tile && last == first / tile * tile + tile - 1;
  }

  /// Places without an element hold the last one instead of 0.
  bool IsClampedToTheLast(std::int64_t first, std::int64_t last, std::int64_t times) const {
    const std::int64_t tile = Tile(), inner = product_.inner();
    return tile > 1 && first == last && last == inner - 1 &&
           times - 1 == (inner + tile - 1) / tile * tile - inner;
  }

  /// Whether each product is added so many times.
  bool HasAll(std::int64_t times) const {
    return std::ssize(facts_.times) == product_.inner() &&
           std::ranges::all_of(facts_.times, [=](std::int64_t each) { return each == times; });
  }

  void DescribeRepeated(std::int64_t first, std::int64_t last, std::int64_t times) {
    const Message span = Span(first, last);
    const Message often = times == 2 ? say::added_twice() : say::added_times(times);
    if (times == 2 && AreLeftFromAnEarlierPhase(first, last)) {
      Say(say::product_repeated_left_in_tile(span, often));
    } else if (product_.inner() > 1 && HasAll(times)) {
      Say(say::product_repeated_all(often));
    } else if (!missing_.empty()) {
      Say(say::product_repeated_and_lacking(span, often, Ranges(missing_)));
    } else if (!IsClampedToTheLast(first, last, times)) {
      Say(contract().has_tiles ? say::product_repeated_by_tiles(span, often)
                               : say::product_repeated(span, often, first));
    } else if (times == 2) {
      Say(say::product_repeated_in_empty_place(product_.NameOfProduct(last), often));
    } else {
      Say(say::product_repeated_in_empty_places(product_.NameOfProduct(last), often, times - 1));
    }
  }

  void DescribeMissing(std::int64_t first, std::int64_t last) {
    const std::int64_t inner = product_.inner(), tile = Tile();
    const Message span = Span(first, last);
    const bool is_cut_off = first > 0 && last == inner - 1 && HasEachOnceBefore(first);
    const bool ends_with_a_tile = is_cut_off && tile > 1 && first % tile == 0;
    // A side as long as a whole number of tiles may be there by chance.
    const std::string side = is_cut_off && !ends_with_a_tile ? product_.SideOfLength(first) : "";
    if (!side.empty() && side != contract().inner_name) {
      facts_.products_of_another_side = true;
      Say(say::product_as_long_as_side(span, first, side, product_.WithSide(inner)));
    } else if (ends_with_a_tile) {
      Say(say::product_whole_tiles_only(first - 1, {first / tile, "phase"}, tile, product_.WithSide(inner),
                                        (inner + tile - 1) / tile));
    } else if (first == 0 && tile > 1 && (last + 1) % tile == 0) {
      const std::int64_t phases = (last + 1) / tile;
      Say(phases == 1 ? say::product_lacks_first_phase(span) : say::product_lacks_first_phases(span, phases));
    } else if (first == last && last == inner - 1) {
      Say(say::product_lacks_last(product_.NameOfProduct(last), inner));
    } else if (first == 0 && first < last && last == inner - 2 && facts_.times.back() == 1) {
      Say(say::product_only_last(product_.NameOfProduct(inner - 1)));
    } else if (first == last && first == 0) {
      Say(say::product_lacks_first(product_.NameOfProduct(first)));
    } else if (is_cut_off) {
      Say(contract().has_tiles ? say::product_ends_early_with_tiles(span, inner)
                               : say::product_ends_early(span, first));
    } else {
      Say(first == last ? say::product_lacks_one(span) : say::product_lacks(span));
    }
  }

  void DescribeTooMany(std::int64_t end) {
    const std::int64_t inner = product_.inner(), tile = Tile();
    const bool fills_tiles = tile > 1 && end == (inner + tile - 1) / tile * tile;
    // As many as another side has may whole tiles be by chance.
    const std::string side = fills_tiles ? "" : product_.SideOfLength(end);
    const Message right = product_.WithSide(inner);
    if (!side.empty()) {
      facts_.products_of_another_side = true;
      Say(say::product_too_many_for_side(end, side, right));
    } else {
      Say(fills_tiles ? say::product_too_many_by_tiles(end, right) : say::product_too_many(end, right));
    }
  }

  std::vector<std::int64_t> missing_{};  ///< Each i whose product no sum includes.
};

}  // namespace

void FindRunsOfProducts(Findings& findings) {
  Runs(findings).Find();
}

}  // namespace warplings::product_facts
