// SPDX-License-Identifier: Apache-2.0
// Right sums in wrong places.
#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "grader/messages/joining.h"
#include "grader/suite/product_facts.h"

namespace warplings::product_facts {
namespace {

class MovedSums : FactFinder {
 public:
  explicit MovedSums(Findings& findings) : FactFinder(findings) {}

  bool Find() {
    std::map<Terms, std::size_t, Less> right;
    for (std::size_t e = 0; e < product_.probed().formulas.size(); ++e) right[product_.Right(e)] = e;
    Moves moves;
    bool any = false, any_empty = false;
    for (const FoundFormula* f : known_) {
      any_empty |= Product::IsZero(*f);
      if (f->IsUntouched() || f->terms.empty()) continue;
      const auto found = right.find(f->terms);
      if (found == right.end() || !Product::IsSumOnly(*f)) return false;
      moves.push_back({f->element, found->second});
      any |= f->element != found->second;
    }
    if (!any) return false;
    // With inner == 0 all sums are alike; terms were not empty, so they are not.
    // Sums that have no row or column of their own are stored, too: no row length puts them there.
    const std::int64_t longest = any_empty ? 0 : kLongestRow;
    std::vector<std::pair<bool, std::int64_t>> ways;
    for (const bool turned : {false, true}) {
      for (std::int64_t length = 1; length <= longest; ++length) {
        const bool fits = std::ranges::all_of(moves, [&](const auto& move) {
          const auto place = static_cast<std::int64_t>(move.first);
          const std::int64_t row = product_.RowOf(move.second), column = product_.ColumnOf(move.second);
          return place == (turned ? column * length + row : row * length + column);
        });
        if (fits) ways.emplace_back(turned, length);
      }
    }
    // A few sums may lie as several lengths would have them: none of these is a fact then.
    if (ways.size() == 1) {
      DescribeWay(moves, ways.front().first, ways.front().second);
    } else {
      DescribeMoves(moves);
    }
    return true;
  }

 private:
  /// Whole sums that belong elsewhere: place e has the sum of `second`.
  using Moves = std::vector<std::pair<std::size_t, std::size_t>>;

  struct Less {
    bool operator()(const Terms& one, const Terms& other) const {
      return std::ranges::lexicographical_compare(one, other, {}, Key, Key);
    }
    static std::tuple<ElementIndex, ElementIndex, std::int64_t> Key(const ProbeTerm& term) {
      return {term.a, term.b, term.times};
    }
  };

  void DescribeWay(const Moves& moves, bool turned, std::int64_t length) {
    facts_.p_row_length = length;
    facts_.p_turned = turned;
    if (!turned) {
      Say(say::product_stored_with_rows(product_.RowWithSide(length), product_.WithSide(product_.columns())));
      return;
    }
    const auto example =
        std::ranges::find_if(moves, [](const auto& move) { return move.first != move.second; });
    Say(say::product_stored_turned(product_.NameOf(example->first), product_.NameOf(example->second)));
  }

  void DescribeMoves(const Moves& moves) {
    const auto first =
        std::ranges::find_if(moves, [](const auto& move) { return move.first != move.second; });
    const auto by_rows = [this](const auto& m) {
      return std::pair(product_.RowOf(m.first), product_.RowOf(m.second));
    };
    const auto by_columns = [this](const auto& m) {
      return std::pair(product_.ColumnOf(m.first), product_.ColumnOf(m.second));
    };
    const auto is_same = [](const auto& pair) { return pair.first == pair.second; };
    const bool rows_right = std::ranges::all_of(moves, [&](const auto& m) { return is_same(by_rows(m)); });
    const bool columns_right =
        std::ranges::all_of(moves, [&](const auto& m) { return is_same(by_columns(m)); });
    std::set<std::size_t> sums;
    for (const auto& move : moves) sums.insert(move.second);
    const bool each_once = sums.size() == moves.size();
    const std::string name = product_.NameOf(first->first), held = product_.NameOf(first->second);
    if (each_once) {
      Say(say::product_sum_misplaced(name, held));
    } else if (columns_right) {
      facts_.another_row_of_m = true;
      const auto [own, taken] = by_rows(*first);
      const Message fact = say::product_other_row(name, held, taken, own);
      Say(say::both(WithBlocks(fact, own, taken), say::product_whose_row()));
    } else if (rows_right) {
      facts_.another_column_of_n = true;
      const auto [own, taken] = by_columns(*first);
      const Message fact = say::product_other_column(name, held, taken, own);
      Say(say::both(WithBlocks(fact, own, taken), say::product_whose_column()));
    } else {
      Say(say::product_sum_of_other(name, held));
    }
  }

  /// `fact`: of a sum that is made with another row or column, `taken`, than its `own`. It may also be made
  /// of the right ones and stored twice, or not be the variable that is stored.
  Message WithBlocks(const Message& fact, std::int64_t own, std::int64_t taken) const {
    const std::int64_t tile = contract().tile;
    const bool is_whole_blocks = tile > 1 && own % tile == taken % tile;
    return is_whole_blocks ? say::both(fact, say::product_blocks_apart(tile)) : fact;
  }
};

}  // namespace

bool FindMovedSums(Findings& findings) {
  return MovedSums(findings).Find();
}

}  // namespace warplings::product_facts
