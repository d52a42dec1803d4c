// SPDX-License-Identifier: Apache-2.0
// Sums that are not alike: which are wrong, and what the first of them has.
#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "grader/suite/product_facts.h"

namespace warplings::product_facts {
namespace {

class Sums : FactFinder {
 public:
  explicit Sums(Findings& findings) : FactFinder(findings) {}

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
    const bool some_right = facts_.wrong < known_.size() && facts_.unknown == 0;
    if (some_right && rows_only && row > 0) Say(say::product_wrong_from_row(row - 1, row));
    if (some_right && columns_only && column > 0) Say(say::product_wrong_from_column(column - 1, column));
    DescribeFirst();
  }

  void DescribeFirst() {
    const auto first = std::ranges::find_if(
        known_, [this](const FoundFormula* f) { return !f->IsUntouched() && !product_.IsRight(*f); });
    if (first == known_.end()) return;
    const std::string name = product_.NameOf((*first)->element);
    if (Product::IsZero(**first)) {
      const std::int64_t alike = std::ranges::count_if(known_, [&](const FoundFormula* f) {
        return f != *first && Product::IsZero(*f) && !product_.IsRight(*f);
      });
      // Its sum may have been made and be stored elsewhere, or nowhere.
      Say(alike == 0 ? say::product_empty_sum(name) : say::product_empty_sums(name, {alike, "more element"}));
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
    if (!missing.empty() && !extra.empty()) {
      DescribeInstead(**first, missing, extra);
    } else if (!missing.empty()) {
      DescribeMissing((*first)->element, missing);
    } else if (const std::string other = OwnerOf(extra); !other.empty()) {
      Say(say::values_sum_on_top(name, other));
    } else if (!extra.empty()) {
      // What loads outside brings in, the loads are asked about.
      const bool leaves = product_.probed().leaves_a || product_.probed().leaves_b;
      Say(leaves ? say::element_has_more(name, Example(extra))
                 : say::element_has_too_much(name, Example(extra)));
    }
    std::vector<ProbeTerm> subtracted, often;
    for (const ProbeTerm& term : repeated) (term.times < 0 ? subtracted : often).push_back(term);
    if (!subtracted.empty()) Say(say::element_has_taken_away(name, Example(subtracted)));
    if (!often.empty()) Say(say::element_has_more_than_once(name, Example(often)));
  }

 private:
  /// Of a sum that has other products than its own: whose sum it is, or which of the factors is another one.
  void DescribeInstead(const FoundFormula& formula, const Terms& missing, const Terms& extra) {
    const std::string name = product_.NameOf(formula.element);
    const std::string owner = Product::IsSumOnly(formula) ? OwnerOf(formula.terms) : "";
    if (!owner.empty()) return Say(say::values_sum_of_other(name, owner));
    for (const bool of_n : {true, false}) {
      if (DescribeOtherFactor(name, missing, extra, of_n)) return;
    }
    Say(say::element_has_instead(name, Example(missing), Example(extra)));
  }

  /// Where each product has the right factor from one matrix, and another one than belongs there from N, or
  /// from M.
  bool DescribeOtherFactor(const std::string& name, const Terms& missing, const Terms& extra, bool of_n) {
    const auto own = [&](const ProbeTerm& term) {
      return std::ranges::find_if(
          missing, [&](const ProbeTerm& right) { return of_n ? right.a == term.a : right.b == term.b; });
    };
    const auto has_none = [&](const ProbeTerm& term) {
      return term.a == kNoElement || term.b == kNoElement || own(term) == missing.end();
    };
    if (std::ranges::any_of(extra, has_none)) return false;
    const ProbeTerm& term = extra.front();
    const std::vector<std::string> wrong = product_.Written(term).factors,
                                   right = product_.Written(*own(term)).factors;
    const std::size_t other = of_n ? 1 : 0;
    const ElementIndex index = of_n ? term.b : term.a;
    const std::int64_t count = product_.inner() * (of_n ? product_.columns() : product_.rows());
    const auto product_of = [](const std::vector<std::string>& factors) {
      return factors[0] + "·" + factors[1];
    };
    if (index < 0 || index >= count) {
      Say(say::element_has_factor_outside(name, right[1 - other], of_n ? "N" : product_.m_name(),
                                          product_of(right)));
    } else if (IsOfALaterPhase(*own(term)) && IsUnused(of_n ? own(term)->b : own(term)->a, of_n)) {
      Say(say::element_has_unloaded_factor(name, product_of(wrong), product_of(right), right[other]));
    } else {
      Say(say::element_has_other_factor(name, product_of(wrong), product_of(right), wrong[other],
                                        right[other]));
    }
    return true;
  }

  /// Whether the product is of a phase after the first, of a kernel with tiles.
  bool IsOfALaterPhase(const ProbeTerm& term) const {
    return contract().has_tiles && contract().tile > 1 && term.b / product_.columns() >= contract().tile;
  }

  /// Whether that element of N, or of M, is in no sum at all, and all sums are known.
  bool IsUnused(ElementIndex index, bool of_n) const {
    return facts_.unknown == 0 && std::ranges::none_of(known_, [&](const FoundFormula* f) {
             return std::ranges::any_of(
                 f->terms, [&](const ProbeTerm& term) { return (of_n ? term.b : term.a) == index; });
           });
  }

  void DescribeMissing(std::size_t element, const Terms& missing) {
    const std::string name = product_.NameOf(element);
    const Message products = ProductsOf(missing);
    const std::int64_t alike = LackAsMuch(missing, element);
    const bool others_lack_others = facts_.lacking > static_cast<std::size_t>(alike) + 1;
    if (alike == 0) {
      Say(others_lack_others ? say::element_lacks_others_not(name, products)
                             : say::element_lacks(name, products));
    } else if (alike == 1) {
      Say(others_lack_others ? say::element_lacks_and_one_more_others_not(name, products)
                             : say::element_lacks_and_one_more(name, products));
    } else {
      Say(others_lack_others ? say::element_lacks_and_more_others_not(name, products, alike)
                             : say::element_lacks_and_more(name, products, alike));
    }
  }

  /// The element whose whole sum these terms are; "" where they are none.
  std::string OwnerOf(Terms terms) const {
    if (terms.size() < 2) return "";
    const auto is_before = [](const ProbeTerm& one, const ProbeTerm& other) {
      return std::pair(one.a, one.b) < std::pair(other.a, other.b);
    };
    std::ranges::sort(terms, is_before);
    for (const FoundFormula* f : known_) {
      Terms own = product_.Right(f->element);
      std::ranges::sort(own, is_before);
      if (own == terms) return product_.NameOf(f->element);
    }
    return "";
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
  Message ProductsOf(const Terms& terms) const {
    std::vector<std::int64_t> all;
    for (const ProbeTerm& term : terms) all.push_back(term.b / product_.columns());
    std::ranges::sort(all);
    return all.size() == 1 ? say::one_product_with(Ranges(all)) : say::products_with(Ranges(all));
  }

  /// "M[0][1]·N[1][0] and 3 more".
  Message Example(const Terms& terms) const {
    std::string product;
    for (const std::string& factor : product_.Written(terms.front()).factors)
      product += (product.empty() ? "" : "·") + factor;
    const Message first = say::one_element(product);
    return terms.size() == 1 ? first : say::listed_and_more(first, terms.size() - 1);
  }
};

}  // namespace

void DescribeWhereSumsDiffer(Findings& findings) {
  Sums(findings).DescribePartly();
}

void DescribeFirstWrongSum(Findings& findings) {
  Sums(findings).DescribeFirst();
}

}  // namespace warplings::product_facts
