// SPDX-License-Identifier: Apache-2.0
// Sums that are not alike: which are wrong, and what the first of them has.
#include <algorithm>
#include <set>

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
    if (Product::IsZero(**first)) {
      const std::int64_t alike = std::ranges::count_if(known_, [&](const FoundFormula* f) {
        return f != *first && Product::IsZero(*f) && !product_.IsRight(*f);
      });
      // Its sum may have been made and be stored elsewhere, or nowhere.
      Say(product_.NameOf((*first)->element) + " is 0: what is stored there has no product in it" +
          (alike == 0 ? "." : ", and neither has what is stored in " + CountOf(alike, "more element") + "."));
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
          (alike == 0
               ? ""
               : ", and so " + std::string(alike == 1 ? "does " : "do ") + CountOf(alike, "more element")) +
          (facts_.lacking > static_cast<std::size_t>(alike) + 1 ? "; others do not lack just the same."
                                                                : "."));
    } else if (!extra.empty()) {
      Say(name + " has " + example(extra) + " too much.");
    }
    std::vector<ProbeTerm> subtracted, often;
    for (const ProbeTerm& term : repeated) (term.times < 0 ? subtracted : often).push_back(term);
    if (!subtracted.empty()) Say(name + " has " + example(subtracted) + " taken away instead of added.");
    if (!often.empty()) Say(name + " has " + example(often) + " more than once.");
  }

 private:
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
};

}  // namespace

void DescribeWhereSumsDiffer(Findings& findings) {
  Sums(findings).DescribePartly();
}

void DescribeFirstWrongSum(Findings& findings) {
  Sums(findings).DescribeFirst();
}

}  // namespace warplings::product_facts
