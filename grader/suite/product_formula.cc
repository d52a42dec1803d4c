// SPDX-License-Identifier: Apache-2.0
#include "grader/suite/product_formula.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <optional>
#include <set>

#include "grader/suite/comparison.h"

namespace warplings {
namespace {

using Terms = std::vector<ProbeTerm>;

/// The longest wrong row length that is tried: with a longer one, the rows of a small call would lie outside
/// the arrays.
constexpr std::int64_t kLongestRow = 130;
constexpr std::size_t kShownElements = 3;

std::string Text(std::int64_t number) {
  return std::to_string(number);
}

/// "5 elements", "1 element".
std::string CountOf(std::int64_t count, const std::string& noun) {
  return Text(count) + " " + noun + (count == 1 ? "" : "s");
}

/// "M[1][2]", "M[end+3]" for the third element behind the end, "M[-2]" for the second before the start.
std::string Factor(const std::string& array, ElementIndex index, std::int64_t count, std::int64_t columns) {
  if (index < 0) return array + "[" + Text(index) + "]";
  if (index >= count) return array + "[end+" + Text(index - count + 1) + "]";
  return array + "[" + Text(index / columns) + "][" + Text(index % columns) + "]";
}

class Product {
 public:
  Product(const ProductContract& contract, const ProbeResult& probed)
      : contract_(contract), probed_(probed) {}

  std::int64_t rows() const { return contract_.rows; }
  std::int64_t inner() const { return contract_.inner; }
  std::int64_t columns() const { return contract_.columns; }
  std::string m_name() const { return contract_.m_by_columns ? "Mt" : "M"; }
  std::int64_t m_row() const { return contract_.m_by_columns ? rows() : inner(); }
  std::int64_t RowOf(std::size_t e) const { return static_cast<std::int64_t>(e) / columns(); }
  std::int64_t ColumnOf(std::size_t e) const { return static_cast<std::int64_t>(e) % columns(); }
  std::string NameOf(std::size_t e) const {
    return Factor("P", static_cast<ElementIndex>(e), rows() * columns(), columns());
  }

  ElementIndex MIndex(std::int64_t row, std::int64_t i) const {
    return contract_.m_by_columns ? i * rows() + row : row * inner() + i;
  }

  Terms Right(std::size_t e) const {
    Terms terms;
    for (std::int64_t i = 0; i < inner(); ++i) {
      terms.push_back({MIndex(RowOf(e), i), i * columns() + ColumnOf(e), 1});
    }
    std::ranges::sort(terms, {}, [](const ProbeTerm& term) { return std::pair(term.a, term.b); });
    return terms;
  }

  static bool IsSumOnly(const FoundFormula& formula) {
    return formula.before_times == 0 && formula.constant == 0;
  }

  bool IsRight(const FoundFormula& formula) const {
    return IsSumOnly(formula) && formula.terms == Right(formula.element);
  }

  Term Written(const ProbeTerm& term) const {
    Term written{term.times, {}};
    if (term.a != kNoElement) written.factors.push_back(Factor(m_name(), term.a, rows() * inner(), m_row()));
    if (term.b != kNoElement) written.factors.push_back(Factor("N", term.b, inner() * columns(), columns()));
    return written;
  }

  ElementFormula FormulaOf(const FoundFormula& found) const {
    ElementFormula formula;
    formula.element = NameOf(found.element);
    formula.stored = !found.IsUntouched();
    for (const ProbeTerm& term : Right(found.element)) formula.right.push_back(Written(term));
    if (!formula.stored) return formula;
    if (found.before_times != 0) formula.yours.push_back({found.before_times, {"P before the call"}});
    for (const ProbeTerm& term : found.terms) formula.yours.push_back(Written(term));
    if (found.constant != 0) formula.yours.push_back({found.constant, {}});
    return formula;
  }

  /// "k", or "3" where no side of the contract has this length. Sides of one length are not told apart.
  std::string SideOfLength(std::int64_t length) const {
    std::set<std::string> names;
    if (length == rows()) names.insert(contract_.rows_name);
    if (length == inner()) names.insert(contract_.inner_name);
    if (length == columns()) names.insert(contract_.columns_name);
    return names.size() == 1 ? *names.begin() : "";
  }

  const ProductContract& contract_;
  const ProbeResult& probed_;
};

/// "5 (that is l)".
std::string WithSide(const Product& product, std::int64_t length) {
  const std::string side = product.SideOfLength(length);
  return Text(length) + (side.empty() ? "" : " (" + side + ")");
}

class FactFinder {
 public:
  FactFinder(const ProductContract& contract, const ProbeResult& probed) : product_(contract, probed) {}

  ProductFacts Find() {
    Count();
    facts_.wrong_is_zero = facts_.wrong > facts_.untouched && WrongIsZero();
    if (facts_.wrong == 0) return std::move(facts_);
    const bool moved = FindMoves();
    // Places that another row length passes over follow from it.
    if (facts_.p_row_length == 0) FindStores();
    FindIndices();
    if (!moved && facts_.sentences.empty()) DescribeFirst();
    if (product_.probed_.leaves_a || product_.probed_.leaves_b) DescribeOutside();
    return std::move(facts_);
  }

 private:
  const ProductContract& contract() const { return product_.contract_; }

  void Say(const std::string& sentence) { facts_.sentences.push_back(sentence); }

  void Count() {
    for (const FoundFormula& formula : product_.probed_.formulas) {
      if (!formula.known) {
        ++facts_.unknown;
        continue;
      }
      known_.push_back(&formula);
      if (product_.IsRight(formula)) continue;
      ++facts_.wrong;
      facts_.untouched += formula.IsUntouched();
      facts_.lacking += !formula.IsUntouched() && Lacks(formula);
      facts_.adds_before += !formula.IsUntouched() && formula.before_times != 0;
      facts_.with_constant += formula.constant != 0;
    }
  }

  bool Lacks(const FoundFormula& formula) const {
    return std::ranges::any_of(product_.Right(formula.element), [&](const ProbeTerm& right) {
      return std::ranges::none_of(
          formula.terms, [&](const ProbeTerm& each) { return each.a == right.a && each.b == right.b; });
    });
  }

  bool WrongIsZero() const {
    return std::ranges::all_of(known_, [this](const FoundFormula* f) {
      return f->IsUntouched() || product_.IsRight(*f) || IsZero(*f);
    });
  }

  static bool IsZero(const FoundFormula& f) { return Product::IsSumOnly(f) && f.terms.empty(); }

  // --- What is stored, and where. ---

  /// From which row and which column on nothing is stored; as many as there are where that is no reason.
  bool DescribeGaps() {
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
      where += std::string(where.empty() ? "" : " and ") + "from column " + Text(column) + " on";
    }
    Say("No thread stores the elements of P " + where + ".");
    return true;
  }

  const FoundFormula* At(std::int64_t row, std::int64_t column) const {
    const auto index = static_cast<std::size_t>(row * product_.columns() + column);
    const FoundFormula& formula = product_.probed_.formulas[index];
    return formula.known ? &formula : nullptr;
  }

  void FindStores() {
    const auto all = product_.probed_.formulas.size();
    if (facts_.untouched == all) {
      Say(contract().launch == "none" ? "No kernel is launched, and no element of P is stored."
                                      : "No element of P is stored at all.");
    } else if (facts_.untouched > 0 && !DescribeGaps()) {
      const auto first = std::ranges::find_if(known_, &FoundFormula::IsUntouched);
      Say(CountOf(static_cast<std::int64_t>(facts_.untouched), "element") + " of P " +
          (facts_.untouched == 1 ? "is" : "are") + " never stored, the first is " +
          product_.NameOf((*first)->element) + ".");
    }
    // Of a kernel other causes leave as much.
    if (contract().launch == "none" && IsFirstQuarter()) {
      Say("Just the first quarter of P is stored, as many bytes as P has elements: in which unit does the "
          "call "
          "that stores it count?");
    } else if (facts_.untouched > 0 && facts_.untouched < all) {
      DescribeLaunch();
    }
    if (facts_.adds_before > 0) {
      const auto first = std::ranges::find_if(
          known_, [](const FoundFormula* f) { return !f->IsUntouched() && f->before_times != 0; });
      Say("What P held before the call is in the sum of " + product_.NameOf((*first)->element) +
          (facts_.adds_before > 1
               ? " and of " + CountOf(static_cast<std::int64_t>(facts_.adds_before) - 1, "more element")
               : std::string()) +
          ": is there a line that sets it to 0 before anything is added?");
    }
    if (facts_.with_constant > 0) {
      const auto first = std::ranges::find_if(known_, [](const FoundFormula* f) { return f->constant != 0; });
      Say(product_.NameOf((*first)->element) + " has " + Text((*first)->constant) +
          " too much whatever M and N hold, even zeros: something else is added, such as places of a tile "
          "that hold no element.");
    }
  }

  /// Whole elements of them; one more may be stored in part, and is then not known.
  bool IsFirstQuarter() const {
    const std::size_t all = product_.probed_.formulas.size(), quarter = all / sizeof(float);
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
      Say("The launch has " + contract().launch + ", and P has " + std::to_string(elements) +
          " elements: is there a thread for each, or one that stores several?");
    } else {
      Say("The launch has " + contract().launch + ": which block and thread is to store " + place +
          ", and which row and column does its index give?");
    }
  }

  /// Whole sums that belong elsewhere: place e has the sum of `second`.
  using Moves = std::vector<std::pair<std::size_t, std::size_t>>;

  /// Right sums in wrong places.
  bool FindMoves() {
    std::map<Terms, std::size_t, Less> right;
    for (std::size_t e = 0; e < product_.probed_.formulas.size(); ++e) right[product_.Right(e)] = e;
    Moves moves;
    bool any = false;
    for (const FoundFormula* f : known_) {
      if (f->IsUntouched() || f->terms.empty()) continue;
      const auto found = right.find(f->terms);
      if (found == right.end() || !Product::IsSumOnly(*f)) return false;
      moves.push_back({f->element, found->second});
      any |= f->element != found->second;
    }
    if (!any) return false;
    // With inner == 0 all sums are alike; terms were not empty, so they are not.
    for (const bool turned : {false, true}) {
      for (std::int64_t length = 1; length <= kLongestRow; ++length) {
        const bool fits = std::ranges::all_of(moves, [&](const auto& move) {
          const auto place = static_cast<std::int64_t>(move.first);
          const std::int64_t row = product_.RowOf(move.second), column = product_.ColumnOf(move.second);
          return place == (turned ? column * length + row : row * length + column);
        });
        if (!fits) continue;
        facts_.p_row_length = length;
        facts_.p_turned = turned;
        if (turned) {
          const auto example =
              std::ranges::find_if(moves, [](const auto& move) { return move.first != move.second; });
          Say(product_.NameOf(example->first) + " holds the sum of " + product_.NameOf(example->second) +
              ", and so on with row and column interchanged: does that come about where the sum is made, or "
              "where it is stored?");
        } else {
          Say("P is stored as if its rows had " + CountOf(length, "element") + SideNote(length) +
              "; they have " + WithSide(product_, product_.columns()) + ".");
        }
        return true;
      }
    }
    DescribeMoves(moves);
    return true;
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
      DescribeOtherLine(held, "M's row", "the column of N", by_rows(*first));
    } else if (rows_right) {
      facts_.another_column_of_n = true;
      DescribeOtherLine(held, "N's column", "the row of M", by_columns(*first));
    } else {
      Say(held + ", and not its own.");
    }
  }

  /// `line`: of which M or N gives the wrong one; `places`: where the element lies, and where the line does.
  void DescribeOtherLine(const std::string& held, const std::string& line, const std::string& right,
                         const std::pair<std::int64_t, std::int64_t>& places) {
    const std::int64_t tile = contract().tile;
    std::string text = held + ": " + right + " is right, " + line + " is " + Text(places.second) +
                       " and has to be " + Text(places.first) + ".";
    if (tile > 1 && places.first % tile == places.second % tile) {
      text += " That is a whole number of tiles away: which block index, or which loop, is " + line +
              " computed from?";
    } else if (tile > 1 && places.first / tile == places.second / tile) {
      text += " It lies in the same tile: which thread index, or which loop, is " + line + " computed from?";
    }
    Say(text);
  }

  struct Less {
    bool operator()(const Terms& one, const Terms& other) const {
      return std::ranges::lexicographical_compare(one, other, {}, Key, Key);
    }
    static std::tuple<ElementIndex, ElementIndex, std::int64_t> Key(const ProbeTerm& term) {
      return {term.a, term.b, term.times};
    }
  };

  std::string SideNote(std::int64_t length) const {
    const std::string side = product_.SideOfLength(length);
    return side.empty() ? "" : " (" + side + ")";
  }

  // --- Which elements are read. ---

  /// A way to turn (major, minor) into an index: M[major][minor] of memory with rows of `length`.
  struct Way {
    std::int64_t length = 0, offset = 0;
    bool turned = false;  ///< minor * length + major
    bool other = false;   ///< P's other index in place of its own.
  };

  /// Of one input: i of each index, if the way gives it; whether every known sum has the same i, as often.
  struct Reading {
    Way way;
    std::map<std::int64_t, std::int64_t> times;
  };

  /// `fixed`: the part of the index that a sum has; `step`: what one more i adds.
  std::optional<Reading> ReadingOf(const Way& way, bool of_m) const {
    std::optional<Reading> reading;
    for (const FoundFormula* f : known_) {
      if (f->IsUntouched()) continue;
      const std::int64_t r = product_.RowOf(f->element), c = product_.ColumnOf(f->element);
      const std::int64_t own = of_m != way.other ? r : c;
      // As memory lies, i counts along a row of M and down a column of N (and of Mt).
      const bool along = (of_m && !contract().m_by_columns) != way.turned;
      const std::int64_t start = (along ? own * way.length : own) + way.offset;
      const std::int64_t step = along ? 1 : way.length;
      std::map<std::int64_t, std::int64_t> times;
      for (const ProbeTerm& term : f->terms) {
        const ElementIndex index = of_m ? term.a : term.b;
        if (index == kNoElement) continue;
        const std::int64_t distance = index - start;
        if (distance % step != 0 || distance < 0) return std::nullopt;
        times[distance / step] += term.times;
      }
      if (!reading) {
        reading = Reading{way, times};
      } else if (reading->times != times) {
        return std::nullopt;
      }
    }
    if (reading && reading->times.empty()) return std::nullopt;
    return reading;
  }

  static bool IsOneEach(const Reading& reading) {
    std::int64_t next = 0;
    return std::ranges::all_of(reading.times,
                               [&](const auto& each) { return each.first == next++ && each.second == 1; });
  }

  /// The right way first: with it any i may be there; with others only 0, 1, 2, … once each, or much would
  /// fit.
  std::optional<Reading> FindReading(bool of_m) const {
    const std::int64_t right = of_m ? product_.m_row() : product_.columns();
    if (auto reading = ReadingOf({right, 0, false, false}, of_m)) return reading;
    std::vector<std::int64_t> lengths = {product_.rows(), product_.inner(), product_.columns()};
    for (std::int64_t length = 1; length <= kLongestRow; ++length) lengths.push_back(length);
    for (const bool other : {false, true}) {
      for (const bool turned : {false, true}) {
        for (const std::int64_t offset : {0, 1, -1}) {
          for (const std::int64_t length : lengths) {
            const bool far = offset != 0 && length != right;
            const auto reading = far ? std::nullopt : ReadingOf({length, offset, turned, other}, of_m);
            if (reading && IsOneEach(*reading)) return reading;
          }
        }
      }
    }
    return std::nullopt;
  }

  void DescribeReading(const Reading& reading, bool of_m) {
    const Way& way = reading.way;
    const std::string name = of_m ? product_.m_name() : "N";
    const std::int64_t right = of_m ? product_.m_row() : product_.columns();
    (of_m ? facts_.m_row_length : facts_.n_row_length) = way.length;
    (of_m ? facts_.m_turned : facts_.n_turned) = way.turned;
    (of_m ? facts_.m_offset : facts_.n_offset) = way.offset;
    (of_m ? facts_.m_takes_column : facts_.n_takes_row) = way.other;
    if (way.other) {
      Say(of_m ? "The row of M is chosen by the column of P: it has to be P's row."
               : "The column of N is chosen by the row of P: it has to be P's column.");
    }
    if (way.turned) {
      Say("Row and column of " + name + " are interchanged" + ExampleOfTurned(way, of_m) +
          ": does that come about where it is loaded, or where it is used?");
    } else if (way.length != right) {
      (of_m ? facts_.m_row_is_wrong : facts_.n_row_is_wrong) = true;
      Say(name + " is read as if its rows had " + CountOf(way.length, "element") + SideNote(way.length) +
          "; they have " + WithSide(product_, right) + ".");
    }
    if (way.offset != 0) {
      Say("Each element of " + name + " that is read lies one place too " +
          (way.offset > 0 ? "far on" : "early") + " in memory.");
    }
  }

  void FindIndices() {
    if (facts_.p_row_length != 0 || known_.empty() || facts_.untouched == known_.size()) return;
    if (std::ranges::all_of(known_, [](const FoundFormula* f) { return IsZero(*f); })) {
      facts_.all_zero = true;
      const std::int64_t inner = product_.inner();
      const bool is_one_phase = contract().tile > 1 && inner <= contract().tile;
      Say("Every element of P is 0: no product gets into any of them." +
          (is_one_phase
               ? " Here all " + CountOf(inner, "product") +
                     " belong to the first phase: does it run, and is what it adds up what is stored?"
               : std::string()));
      return;
    }
    const auto m = FindReading(true), n = FindReading(false);
    if (m && n && IsOtherProduct(m->way, n->way)) {
      Say("M and N have changed places: each product has its first factor from N, read as M is to be, and "
          "its "
          "second one from M. Which of the two does each pointer of the kernel get at the launch, and which "
          "does "
          "each load read?");
      return;
    }
    if (m) DescribeReading(*m, true);
    if (n) DescribeReading(*n, false);
    if (m && n) DescribeProducts(*m, *n);
    if (!m || !n) DescribePartly();
  }

  /// Both as the other one should be read.
  bool IsOtherProduct(const Way& m, const Way& n) const {
    const auto is_across = [](const Way& way, std::int64_t length) {
      return way.other && way.turned && way.offset == 0 && way.length == length;
    };
    return !contract().m_by_columns && is_across(m, product_.columns()) && is_across(n, product_.inner());
  }

  static constexpr std::string_view kBeginOfRange = "i = ";
  static std::string Range(std::int64_t first, std::int64_t last) {
    return std::string(kBeginOfRange) + Text(first) + (first == last ? "" : " to " + Text(last));
  }

  /// Of numbers in ascending order: "i = 0 to 7, 16 to 17", no more than three ranges, and how many more
  /// there are.
  static std::string Ranges(const std::vector<std::int64_t>& all) {
    constexpr std::size_t kMostRanges = 3;
    std::string text;
    std::size_t at = 0;
    for (std::size_t ranges = 0; at < all.size() && ranges < kMostRanges; ++ranges) {
      std::size_t last = at;
      while (last + 1 < all.size() && all[last + 1] == all[last] + 1) ++last;
      text += ranges == 0 ? Range(all[at], all[last])
                          : ", " + Range(all[at], all[last]).substr(kBeginOfRange.size());
      at = last + 1;
    }
    if (at < all.size()) text += " and " + Text(std::ssize(all) - static_cast<std::int64_t>(at)) + " more";
    return text;
  }

  /// Which i are there how often, and whether partners belong to each other.
  void DescribeProducts(const Reading& m, const Reading& n) {
    const std::int64_t inner = product_.inner();
    if (m.times != n.times) {
      DescribeUnlikeRanges(m, n);
      return;
    }
    if (MeetsOther(m.way, n.way)) return;
    const std::int64_t end = m.times.rbegin()->first + 1;
    facts_.times.assign(static_cast<std::size_t>(std::max(end, inner)), 0);
    for (const auto& [i, times] : m.times) facts_.times[static_cast<std::size_t>(i)] = times;
    DescribeRuns();
  }

  /// M's i and N's are not the same ones.
  void DescribeUnlikeRanges(const Reading& m, const Reading& n) {
    const auto text = [](const Reading& reading) {
      std::vector<std::int64_t> all;
      for (const auto& [i, times] : reading.times) {
        if (times > 0) all.push_back(i);
      }
      return Ranges(all);
    };
    // Within one range some come more often than others, or not at all: their terms say more.
    if (m.times.begin()->first == n.times.begin()->first &&
        m.times.rbegin()->first == n.times.rbegin()->first) {
      DescribeFirst();
      return;
    }
    Say("Along the side that they share, the sums take M's elements with " + text(m) + " and N's with " +
        text(n) + ": the two have to walk together.");
  }

  /// ": where N[0][1] belongs stands N[1][0]".
  std::string ExampleOfTurned(const Way& way, bool of_m) const {
    const std::int64_t right = of_m ? product_.m_row() : product_.columns();
    const std::int64_t count = of_m ? product_.rows() * product_.inner() : product_.inner() * right;
    // The second of a row where there is one, else the first of the second row.
    const std::int64_t row = right > 1 ? 0 : 1, column = right > 1 ? 1 : 0;
    if (count < 2) return "";
    const std::string name = of_m ? product_.m_name() : "N";
    return ", as if " + Factor(name, column * way.length + row, count, right) + " were " +
           Factor(name, row * right + column, count, right);
  }

  /// Partners of a sum at a distance, or in another order.
  bool MeetsOther(const Way& m, const Way& n) {
    std::optional<std::int64_t> offset;
    const ProbeTerm* example = nullptr;
    bool same_offset = true;
    for (const FoundFormula* f : known_) {
      const std::int64_t r = product_.RowOf(f->element), c = product_.ColumnOf(f->element);
      for (const ProbeTerm& term : f->terms) {
        if (term.a == kNoElement || term.b == kNoElement) continue;
        const std::int64_t i = IOf(m, true, r, c, term.a), k = IOf(n, false, r, c, term.b);
        if (i != k && example == nullptr) example = &term;
        if (!offset) offset = k - i;
        same_offset &= *offset == k - i;
      }
    }
    if (example == nullptr) return false;
    facts_.pair_offset = same_offset ? *offset : 0;
    const Term written = product_.Written(*example);
    Say(written.factors[0] + " is multiplied with " + written.factors[1] +
        ": the right elements, paired wrongly. Both indices of a product have to name the same i.");
    return true;
  }

  std::int64_t IOf(const Way& way, bool of_m, std::int64_t r, std::int64_t c, ElementIndex index) const {
    const std::int64_t own = of_m != way.other ? r : c;
    const bool along = (of_m && !contract().m_by_columns) != way.turned;
    return (index - way.offset - (along ? own * way.length : own)) / (along ? 1 : way.length);
  }

  void DescribeRuns() {
    const std::int64_t inner = product_.inner();
    const auto end = static_cast<std::int64_t>(facts_.times.size());
    std::string behind;  // Runs of i behind the last product: "8, 16 to 17".
    bool only_too_long = true;
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
        Say("The products with " + Range(first, last) + " are added " + Text(times) + " times in each sum" +
            (times == 2 && AreLeftFromThePhaseBefore(first, last)
                 ? ": just as many as the last phase has places without an element. What stands in those "
                   "places of the tiles when it multiplies?"
             : IsClampedToTheLast(first, last, times)
                 ? ": once itself, and once for each of the " + CountOf(times - 1, "place") +
                       " of the last phase that " + (times == 2 ? "has" : "have") + " no element."
                 : "."));
      }
      if (!inside && times != 0) {
        only_too_long &= behind.empty() && first == inner && times == 1;
        behind += (behind.empty() ? "" : ", ") + Range(first, last).substr(kBeginOfRange.size());
      }
      first = last + 1;
    }
    if (behind.empty() || inner == 0) return;
    if (only_too_long) return DescribeTooMany(end);
    // With gaps between them, their number says nothing.
    Say("Each sum also takes in products with i = " + behind + ", and the last one that exists has i = " +
        Text(inner - 1) + ". Which load of your loop reads there, and what does it ask before?");
  }

  /// In a last phase that is not full: the places of the tile behind its elements.
  bool AreLeftFromThePhaseBefore(std::int64_t first, std::int64_t last) const {
    const std::int64_t tile = contract().tile, inner = product_.inner();
    if (tile <= 1 || inner <= tile || inner % tile == 0) return false;
    const std::int64_t last_phase = inner / tile * tile;
    return first == last_phase - tile + inner % tile && last == last_phase - 1;
  }

  /// Places without an element hold the last one instead of 0.
  bool IsClampedToTheLast(std::int64_t first, std::int64_t last, std::int64_t times) const {
    const std::int64_t tile = contract().tile, inner = product_.inner();
    return tile > 1 && first == last && last == inner - 1 &&
           times - 1 == (inner + tile - 1) / tile * tile - inner;
  }

  void DescribeMissing(std::int64_t first, std::int64_t last) {
    const std::int64_t inner = product_.inner();
    std::string text = "Each sum lacks the products with " + Range(first, last);
    const std::string side = first > 0 && last == inner - 1 ? product_.SideOfLength(first) : "";
    const std::int64_t tile = contract().tile;
    if (!side.empty() && side != contract().inner_name) {
      facts_.products_of_another_side = true;
      text += ": it has " + Text(first) + " products, as many as " + side + ", instead of " +
              WithSide(product_, inner);
    } else if (tile > 1 && last == inner - 1 && first > 0 && first % tile == 0) {
      text = "Each sum has the products up to i = " + Text(first - 1) + " only, as many as " +
             CountOf(first / tile, "phase") + " with tiles of " + Text(tile) + "; " +
             WithSide(product_, inner) + " products take " + Text((inner + tile - 1) / tile);
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
    const std::int64_t inner = product_.inner(), tile = contract().tile;
    const std::string side = product_.SideOfLength(end);
    std::string text = "Each sum has " + Text(end) + " products";
    if (!side.empty()) {
      facts_.products_of_another_side = true;
      text += ", as many as " + side + ",";
    }
    text += " instead of " + WithSide(product_, inner);
    if (tile > 1 && end == (inner + tile - 1) / tile * tile) {
      text += ": whole tiles, though the last one is not full. A place without an element has to count as 0";
    }
    Say(text + ".");
  }

  // --- Where sums are not alike. ---

  /// Which rows or columns are right, and what the first wrong sum has too much and too little.
  void DescribePartly() {
    std::int64_t row = product_.rows(), column = product_.columns();
    bool rows_only = true, columns_only = true;
    for (const FoundFormula* f : known_) {
      if (product_.IsRight(*f)) continue;
      row = std::min(row, product_.RowOf(f->element));
      column = std::min(column, product_.ColumnOf(f->element));
    }
    for (const FoundFormula* f : known_) {
      const bool right = product_.IsRight(*f);
      rows_only &= right == (product_.RowOf(f->element) < row);
      columns_only &= right == (product_.ColumnOf(f->element) < column);
    }
    const bool some_right = facts_.wrong < known_.size();
    if (some_right && rows_only && row > 0)
      Say("Sums are right up to row " + Text(row - 1) + ", and wrong from row " + Text(row) + " on.");
    if (some_right && columns_only && column > 0) {
      Say("Sums are right up to column " + Text(column - 1) + ", and wrong from column " + Text(column) +
          " on.");
    }
    DescribeFirst();
  }

  void DescribeFirst() {
    const auto first = std::ranges::find_if(
        known_, [this](const FoundFormula* f) { return !f->IsUntouched() && !product_.IsRight(*f); });
    if (first == known_.end()) return;
    if (IsZero(**first)) {
      const std::int64_t alike = std::ranges::count_if(
          known_, [&](const FoundFormula* f) { return f != *first && IsZero(*f) && !product_.IsRight(*f); });
      Say(product_.NameOf((*first)->element) + " is 0: no product gets into its sum" +
          (alike == 0 ? "." : ", nor into those of " + CountOf(alike, "more element") + "."));
      return;
    }
    const Terms right = product_.Right((*first)->element);
    const auto lacks = [](const Terms& all, const ProbeTerm& term) {
      return std::ranges::none_of(
          all, [&](const ProbeTerm& each) { return each.a == term.a && each.b == term.b; });
    };
    std::vector<ProbeTerm> missing, extra, repeated;
    for (const ProbeTerm& term : right) {
      if (lacks((*first)->terms, term)) missing.push_back(term);
    }
    for (const ProbeTerm& term : (*first)->terms) {
      if (lacks(right, term)) {
        extra.push_back(term);
      } else if (term.times != 1) {
        repeated.push_back(term);
      }
    }
    const std::string name = product_.NameOf((*first)->element);
    const auto example = [this](const Terms& terms) {
      std::string text = Joined(product_.Written(terms.front()));
      if (terms.size() > 1) text += " and " + Text(static_cast<std::int64_t>(terms.size()) - 1) + " more";
      return text;
    };
    if (!missing.empty() && !extra.empty()) {
      Say(name + " lacks " + example(missing) + "; instead it has " + example(extra) + ".");
    } else if (!missing.empty()) {
      const std::int64_t alike = LackAsMuch(missing, (*first)->element);
      Say(name + " lacks " + ProductsOf(missing) +
          (alike == 0 ? "."
                      : ", and so " + std::string(alike == 1 ? "does " : "do ") +
                            CountOf(alike, "more element") + "."));
    } else if (!extra.empty()) {
      Say(name + " has " + example(extra) + " too much.");
    }
    std::vector<ProbeTerm> subtracted, often;
    for (const ProbeTerm& term : repeated) (term.times < 0 ? subtracted : often).push_back(term);
    if (!subtracted.empty()) Say(name + " has " + example(subtracted) + " taken away instead of added.");
    if (!often.empty()) Say(name + " has " + example(often) + " more than once.");
  }

  /// How many other elements lack the products with the same i, and nothing else.
  std::int64_t LackAsMuch(const Terms& missing, std::size_t element) const {
    const auto i_of = [this](const ProbeTerm& term) { return term.b / product_.columns(); };
    std::set<std::int64_t> lost;
    for (const ProbeTerm& term : missing) lost.insert(i_of(term));
    return std::ranges::count_if(known_, [&](const FoundFormula* f) {
      if (f->element == element || f->IsUntouched() || !Product::IsSumOnly(*f)) return false;
      Terms left;
      for (const ProbeTerm& term : product_.Right(f->element)) {
        if (!lost.contains(i_of(term))) left.push_back(term);
      }
      return f->terms == left;
    });
  }

  /// Terms that belong into a sum, the lowest first: "the products with i = 2 to 4, 8".
  std::string ProductsOf(const Terms& terms) const {
    std::vector<std::int64_t> all;
    for (const ProbeTerm& term : terms) all.push_back(term.b / product_.columns());
    std::ranges::sort(all);
    return (all.size() == 1 ? "the product with " : "the products with ") + Ranges(all);
  }

  static std::string Joined(const Term& term) {
    std::string text;
    for (const std::string& factor : term.factors) text += (text.empty() ? "" : "·") + factor;
    return text;
  }

  void DescribeOutside() {
    const std::string which = product_.probed_.leaves_a && product_.probed_.leaves_b
                                  ? product_.m_name() + " and N"
                              : product_.probed_.leaves_a ? product_.m_name()
                                                          : "N";
    Say("Sums take in what lies in memory behind or before " + which +
        " ([end+1] is the first place behind it).");
  }

  Product product_;
  ProductFacts facts_;
  std::vector<const FoundFormula*> known_;
};

}  // namespace

ProductFacts FactsOfProduct(const ProductContract& contract, const ProbeResult& probed) {
  return FactFinder(contract, probed).Find();
}

Explanation ExplainProduct(const ProductContract& contract, const ProbeResult& probed,
                           const ProductFacts& facts, bool every) {
  const Product product(contract, probed);
  Explanation explanation;
  explanation.call = contract.rows_name == contract.columns_name
                         ? contract.rows_name + " " + Text(contract.rows)
                         : Text(contract.rows) + " x " + Text(contract.inner) + " times " +
                               Text(contract.inner) + " x " + Text(contract.columns);
  if (every) explanation.every.emplace();
  std::size_t terms = 0;
  for (const FoundFormula& found : probed.formulas) {
    if (!found.known) continue;
    const bool is_shown = !product.IsRight(found) && explanation.elements.size() < kShownElements;
    if (!is_shown && (!every || terms > kMaximumTerms)) continue;
    const ElementFormula formula = product.FormulaOf(found);
    terms += formula.yours.size() + formula.right.size();
    if (is_shown) explanation.elements.push_back(formula);
    if (every && terms <= kMaximumTerms) explanation.every->push_back(formula);
  }
  explanation.facts = facts.sentences;
  return explanation;
}

std::string AdviceFrom(const std::vector<std::string>& sentences) {
  constexpr std::size_t kMost = 2;
  std::string text;
  for (std::size_t i = 0; i < std::min(kMost, sentences.size()); ++i) {
    text += (text.empty() ? "" : " ") + sentences[i];
  }
  return text;
}

bool EndsWithAWholeTile(const ProductFacts& facts, int tile) {
  const auto lost = std::ranges::find_if(facts.times, [](std::int64_t times) { return times != 1; });
  const auto kept = lost - facts.times.begin();
  return kept > 0 && kept % tile == 0 && lost != facts.times.end() &&
         std::all_of(lost, facts.times.end(), [](std::int64_t times) { return times == 0; });
}

namespace {

/// "0", "never written", …: what all these elements hold; "wrong" where they hold numbers.
std::string HeldBy(const std::vector<float>& actual, const std::vector<bool>& is_wrong) {
  const auto all = [&](const auto& predicate) {
    for (std::size_t i = 0; i < actual.size(); ++i) {
      if (is_wrong[i] && !predicate(actual[i])) return false;
    }
    return true;
  };
  if (all([](float value) { return IsPoison(value); })) return "never stored";
  if (all([](float value) { return value == 0; })) return "0";
  if (all([](float value) { return std::isnan(value) && !IsPoison(value); })) return "not a number";
  return "wrong";
}

}  // namespace

std::string PlacesFact(const std::string& array, int rows, int columns, const std::vector<float>& actual,
                       const std::vector<bool>& is_wrong) {
  const auto at = [&](int row, int column) {
    return is_wrong[static_cast<std::size_t>(row) * static_cast<std::size_t>(columns) +
                    static_cast<std::size_t>(column)];
  };
  const auto count = std::ranges::count(is_wrong, true);
  if (count == 0) return "";
  const std::string held = HeldBy(actual, is_wrong);
  const auto name = [&](std::int64_t index) {
    return array + "[" + (rows == 1 ? "" : Text(index / columns) + "][") + Text(index % columns) + "]";
  };
  if (count == std::ssize(is_wrong)) {
    return held == "wrong" ? "" : "Every element of " + array + " is " + held + ".";
  }
  // The first row and the first column of which every element is wrong.
  int row = 0, column = 0;
  const auto row_is_wrong = [&](int r) {
    for (int c = 0; c < columns; ++c) {
      if (!at(r, c)) return false;
    }
    return true;
  };
  const auto column_is_wrong = [&](int c) {
    for (int r = 0; r < rows; ++r) {
      if (!at(r, c)) return false;
    }
    return true;
  };
  while (row < rows && !row_is_wrong(row)) ++row;
  while (column < columns && !column_is_wrong(column)) ++column;
  bool fits = true;
  for (int r = 0; r < rows; ++r) {
    for (int c = 0; c < columns; ++c) fits &= at(r, c) == (r >= row || c >= column);
  }
  const auto start = [](const char* what, int first) {
    return std::string(what) + " " + std::to_string(first);
  };
  if (fits && rows == 1 && column > 0) {
    return array + " is right up to " + name(column - 1) + "; from " + name(column) +
           " on every element is " + held +
           ". Which block and which thread compute these, and what differs for them?";
  }
  if (fits) {
    std::string up_to, from;
    if (row < rows) {
      up_to = start("row", row - 1);
      from = start("row", row);
    }
    if (column < columns) {
      up_to += (up_to.empty() ? "" : " and ") + start("column", column - 1);
      from += (from.empty() ? "" : " and from ") + start("column", column);
    }
    if (row > 0 && column > 0) {
      return array + " is right up to " + up_to + "; from " + from + " on every element is " + held +
             ". Which block and which thread compute these, and what differs for them?";
    }
  }
  const auto first = std::ranges::find(is_wrong, true) - is_wrong.begin();
  return CountOf(count, "element") + " of " + array + (count == 1 ? " is " : " are ") + held + ", of " +
         Text(std::ssize(is_wrong)) + "; the first is " + name(first) +
         ". Which thread stores it, and what differs from its neighbours that are right?";
}

std::string SumOfAnother(const std::string& array, std::size_t columns, const std::vector<float>& actual,
                         const std::vector<double>& expected, const std::vector<double>& bounds,
                         const std::vector<bool>& is_wrong) {
  constexpr std::size_t kEnough = 3;
  std::vector<std::size_t> places;
  for (std::size_t e = 0; e < is_wrong.size() && places.size() < kEnough; ++e) {
    if (is_wrong[e]) places.push_back(e);
  }
  if (places.size() < kEnough) return "";
  const auto fits = [&](std::size_t e, std::size_t other, bool on_top) {
    if (e == other || other >= expected.size() || IsPoison(actual[e]) || expected[other] == 0) return false;
    const double found = on_top ? actual[e] - expected[e] : double{actual[e]};
    return std::fabs(found - expected[other]) <= bounds[e] + 2 * bounds[other];
  };
  const auto name = [&](std::size_t e) {
    return array + "[" + std::to_string(e / columns) + "][" + std::to_string(e % columns) + "]";
  };
  for (const bool on_top : {true, false}) {
    for (std::size_t other = 0; other < expected.size(); ++other) {
      const bool all = std::ranges::all_of(
          places, [&](std::size_t e) { return fits(e, other + (e - places.front()), on_top); });
      if (!all) continue;
      const std::string first = name(places.front());
      return on_top ? first + " holds its own sum and that of " + name(other) +
                          " together: what does the variable for the sum hold when the second one begins?"
                    : first + " holds the sum of " + name(other) +
                          ": which row and which column does its thread compute, and where does it store?";
    }
  }
  return "";
}

std::string PartOfSums(const std::vector<float>& m, const std::vector<float>& n, const std::vector<float>& p,
                       std::size_t rows, std::size_t inner, std::size_t columns) {
  if (p.size() != rows * columns || p.empty() || inner < 2) return "";
  const double rounding = 2.0 * static_cast<double>(inner) * 0x1p-24;
  /// Whether each element holds its products from `first` to before `end`.
  const auto holds = [&](std::size_t first, std::size_t end) {
    for (std::size_t e = 0; e < p.size(); ++e) {
      double sum = 0, size = 0;
      for (std::size_t i = first; i < end; ++i) {
        const double product = double{m[e / columns * inner + i]} * n[i * columns + e % columns];
        sum += product;
        size += std::fabs(product);
      }
      if (IsWrong(p[e], sum, rounding * size + 1e-30)) return false;
    }
    return true;
  };
  for (std::size_t end = 1; end < inner; ++end) {
    if (!holds(0, end)) continue;
    return "Each element of P has its products up to i = " + std::to_string(end - 1) + " only, of " +
           std::to_string(inner) +
           ": which step of your loop is to bring the one with i = " + std::to_string(end) +
           ", and what does it add?";
  }
  for (std::size_t first = 1; first < inner; ++first) {
    if (!holds(first, inner)) continue;
    return "Each element of P has its products from i = " + std::to_string(first) + " on only, of " +
           std::to_string(inner) + ": which line loses those before, or never adds them?";
  }
  return "";
}

std::string SquareOfOne(const std::vector<float>& m, const std::vector<float>& n, const std::vector<float>& p,
                        std::size_t side) {
  if (p.size() != side * side || p.empty()) return "";
  const auto is_square_of = [&](const std::vector<float>& matrix) {
    for (std::size_t e = 0; e < p.size(); ++e) {
      double sum = 0, size = 0;
      for (std::size_t i = 0; i < side; ++i) {
        const double product = double{matrix[e / side * side + i]} * matrix[i * side + e % side];
        sum += product;
        size += std::fabs(product);
      }
      if (IsWrong(p[e], sum, 2.0 * static_cast<double>(side) * 0x1p-24 * size + 1e-30)) return false;
    }
    return true;
  };
  for (const bool of_m : {true, false}) {
    if (!is_square_of(of_m ? m : n)) continue;
    const std::string used = of_m ? "M" : "N", other = of_m ? "N" : "M";
    return "P holds " + used + " x " + used + ", and " + other +
           " plays no part: which pointer does each of the two loads read?";
  }
  return "";
}

std::string PrecisionFact(const std::vector<double>& actual, const std::vector<double>& expected,
                          const std::vector<double>& magnitudes) {
  // Half has 11 digits, bfloat16 and TF32 have 8 and 11 (PTX manual, "Alternate floating point data
  // formats").
  double largest = 0;
  std::size_t off = 0, compared = 0;
  for (std::size_t i = 0; i < actual.size(); ++i) {
    if (!std::isfinite(actual[i]) || magnitudes[i] == 0) return "";
    const double error = std::fabs(actual[i] - expected[i]) / magnitudes[i];
    largest = std::max(largest, error);
    off += error > 0x1p-22;
    ++compared;
  }
  // Nearly all elements are off, and none by more than two roundings of each factor to 8 digits.
  if (compared == 0 || 10 * off < 8 * compared || largest > 0x1p-7) return "";
  char text[64];
  std::snprintf(text, sizeof text, "%.0e", largest);
  const char* type =
      largest > 0x1p-10 * 1.5 ? "bfloat16 (8 binary digits)" : "__half or TF32 (11 binary digits)";
  if (largest < 0x1p-14) return "";
  return std::string("All values are nearly right, none is off by more than ") + text +
         " of the products' size: that looks like too few digits rather than a wrong index, about those of " +
         type + ". Which types do the factors, their products and the sum have?";
}

}  // namespace warplings
