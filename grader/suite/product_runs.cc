// SPDX-License-Identifier: Apache-2.0
// Which products every sum lacks, repeats or has too many of.
#include <algorithm>

#include "grader/suite/product_facts.h"

namespace warplings::product_facts {
namespace {

class Runs : FactFinder {
 public:
  explicit Runs(Findings& findings) : FactFinder(findings) {}

  void Find() {
    const std::int64_t inner = product_.inner();
    const auto end = static_cast<std::int64_t>(facts_.times.size());
    std::string behind;  // Runs of i behind the last product: "8, 16 to 17".
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
      if (inside && times > 1) {
        Say("The products with i = " + Span(first, last) + " are added " + Text(times) +
            " times in each sum" +
            (times == 2 && AreLeftFromThePhaseBefore(first, last)
                 ? ": just as many as the last phase has places without an element. What stands in those "
                   "places of the tiles when it multiplies?"
             : IsClampedToTheLast(first, last, times)
                 ? ", as if it stood in " +
                       (times == 2 ? std::string("the place")
                                   : "each of the " + CountOf(times - 1, "place")) +
                       " of the last phase without an element, too."
                 : "."));
      }
      if (!inside && times != 0) {
        only_too_long &= behind.empty() && first == inner && times == 1;
        behind += (behind.empty() ? "" : ", ") + Span(first, last);
      }
      first = last + 1;
    }
    if (behind.empty() || inner == 0) return;
    if (only_too_long) return DescribeTooMany(end);
    // With gaps between them, their number says nothing.
    Say("Each sum also takes in products with i = " + behind + ", and the last one that exists has i = " +
        Text(inner - 1) + ". Which load reads there, and what is asked before it?");
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

  /// In a last phase that is not full: the places of the tile behind its elements.
  bool AreLeftFromThePhaseBefore(std::int64_t first, std::int64_t last) const {
    const std::int64_t tile = Tile(), inner = product_.inner();
    if (tile <= 1 || inner <= tile || inner % tile == 0) return false;
    const std::int64_t last_phase = inner / tile * tile;
    return first == last_phase - tile + inner % tile && last == last_phase - 1;
  }

  /// Places without an element hold the last one instead of 0.
  bool IsClampedToTheLast(std::int64_t first, std::int64_t last, std::int64_t times) const {
    const std::int64_t tile = Tile(), inner = product_.inner();
    return tile > 1 && first == last && last == inner - 1 &&
           times - 1 == (inner + tile - 1) / tile * tile - inner;
  }

  void DescribeMissing(std::int64_t first, std::int64_t last) {
    const std::int64_t inner = product_.inner();
    std::string text = "Each sum lacks the products with i = " + Span(first, last);
    const std::int64_t tile = Tile();
    const bool is_cut_off = first > 0 && last == inner - 1 && HasEachOnceBefore(first);
    const bool ends_with_a_tile = is_cut_off && tile > 1 && first % tile == 0;
    // A side as long as a whole number of tiles may be there by chance.
    const std::string side = is_cut_off && !ends_with_a_tile ? product_.SideOfLength(first) : "";
    if (!side.empty() && side != contract().inner_name) {
      facts_.products_of_another_side = true;
      text += ": it has " + Text(first) + " products, as many as " + side + ", instead of " +
              product_.WithSide(inner);
    } else if (ends_with_a_tile) {
      text = "Each sum has the products up to i = " + Text(first - 1) + " only, as many as " +
             CountOf(first / tile, "phase") + " with tiles of " + Text(tile) + "; " +
             product_.WithSide(inner) + " products take " + Text((inner + tile - 1) / tile);
    } else if (first == 0 && tile > 1 && (last + 1) % tile == 0) {
      text += ": the first " +
              (last + 1 == tile ? std::string("phase") : Text((last + 1) / tile) + " phases") +
              " left no trace in it";
    } else if (first == last && last == inner - 1) {
      text += ", the last one";
    } else if (first == last && first == 0) {
      text += ", the first one";
    }
    Say(text + ".");
  }

  void DescribeTooMany(std::int64_t end) {
    const std::int64_t inner = product_.inner(), tile = Tile();
    const bool fills_tiles = tile > 1 && end == (inner + tile - 1) / tile * tile;
    // As many as another side has may whole tiles be by chance.
    const std::string side = fills_tiles ? "" : product_.SideOfLength(end);
    std::string text = "Each sum has " + Text(end) + " products";
    if (!side.empty()) {
      facts_.products_of_another_side = true;
      text += ", as many as " + side + ",";
    }
    text += " instead of " + product_.WithSide(inner);
    if (fills_tiles) {
      text += ": whole tiles, though the last one is not full. A place without an element has to count as 0";
    }
    Say(text + ".");
  }
};

}  // namespace

void FindRunsOfProducts(Findings& findings) {
  Runs(findings).Find();
}

}  // namespace warplings::product_facts
