// SPDX-License-Identifier: Apache-2.0
// Right sums in wrong places.
#include <algorithm>
#include <map>
#include <set>
#include <tuple>

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
      Say("P is stored as if its rows had " + CountOf(length, "element") + product_.SideNote(length) +
          "; they have " + product_.WithSide(product_.columns()) + ".");
      return;
    }
    const auto example =
        std::ranges::find_if(moves, [](const auto& move) { return move.first != move.second; });
    const std::string name = product_.NameOf(example->first);
    Say(name + " holds the sum of " + product_.NameOf(example->second) +
        ", as it comes out when row and column are interchanged: of which row and which column does the "
        "thread that stores " +
        name + " make the sum, and which index does it store to?");
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
    const std::string name = product_.NameOf(first->first);
    const std::string held = name + " holds the sum of " + product_.NameOf(first->second);
    if (each_once) {
      Say(held + ": such a sum is complete, but stands in another element's place.");
    } else if (columns_right) {
      facts_.another_row_of_m = true;
      DescribeOtherLine(held, "column of N", "row of M", by_rows(*first));
    } else if (rows_right) {
      facts_.another_column_of_n = true;
      DescribeOtherLine(held, "row of M", "column of N", by_columns(*first));
    } else {
      Say(held + ", and not its own.");
    }
  }

  /// `line`: of which M or N gives the wrong one; `places`: where the element lies, and where the line does.
  /// The sum may be made of the right ones and stored twice, or not be the variable that is stored.
  void DescribeOtherLine(const std::string& held, const std::string& right, const std::string& line,
                         const std::pair<std::int64_t, std::int64_t>& places) {
    const std::int64_t tile = contract().tile;
    std::string text = held + ", with the right " + right + ", and " + line + " " + Text(places.second) +
                       " where " + Text(places.first) + " belongs.";
    if (tile > 1 && places.first % tile == places.second % tile) {
      text += " The two are a multiple of " + Text(tile) + " apart, the width and height of your blocks.";
    }
    Say(text + " Which thread stores there, from which indices does it compute that " +
        line.substr(0, line.find(' ')) + ", and is it this element's sum that it stores?");
  }
};

}  // namespace

bool FindMovedSums(Findings& findings) {
  return MovedSums(findings).Find();
}

}  // namespace warplings::product_facts
