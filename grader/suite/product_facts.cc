// SPDX-License-Identifier: Apache-2.0
#include "grader/suite/product_facts.h"

#include <algorithm>
#include <set>

namespace warplings::product_facts {

std::string Text(std::int64_t number) {
  return std::to_string(number);
}

std::string CountOf(std::int64_t count, const std::string& noun) {
  return Text(count) + " " + noun + (count == 1 ? "" : "s");
}

std::string Factor(const std::string& array, ElementIndex index, std::int64_t count, std::int64_t columns) {
  if (index < 0) return array + "[" + Text(index) + "]";
  if (index >= count) return array + "[end+" + Text(index - count + 1) + "]";
  return array + "[" + Text(index / columns) + "][" + Text(index % columns) + "]";
}

std::string Span(std::int64_t first, std::int64_t last) {
  return Text(first) + (first == last ? "" : " to " + Text(last));
}

std::string Ranges(const std::vector<std::int64_t>& all) {
  constexpr std::size_t kMostRanges = 3;
  std::string text;
  std::size_t at = 0;
  for (std::size_t ranges = 0; at < all.size() && ranges < kMostRanges; ++ranges) {
    std::size_t last = at;
    while (last + 1 < all.size() && all[last + 1] == all[last] + 1) ++last;
    text += (ranges == 0 ? "i = " : ", ") + Span(all[at], all[last]);
    at = last + 1;
  }
  if (at < all.size()) text += " and " + Text(std::ssize(all) - static_cast<std::int64_t>(at)) + " more";
  return text;
}

Terms Product::Right(std::size_t e) const {
  Terms terms;
  for (std::int64_t i = 0; i < inner(); ++i) {
    terms.push_back({MIndex(RowOf(e), i), i * columns() + ColumnOf(e), 1});
  }
  std::ranges::sort(terms, {}, [](const ProbeTerm& term) { return std::pair(term.a, term.b); });
  return terms;
}

Term Product::Written(const ProbeTerm& term) const {
  Term written{term.times, {}};
  if (term.a != kNoElement) written.factors.push_back(Factor(m_name(), term.a, rows() * inner(), m_row()));
  if (term.b != kNoElement) written.factors.push_back(Factor("N", term.b, inner() * columns(), columns()));
  return written;
}

ElementFormula Product::FormulaOf(const FoundFormula& found) const {
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

std::string Product::SideOfLength(std::int64_t length) const {
  std::set<std::string> names;
  if (length == rows()) names.insert(contract_.rows_name);
  if (length == inner()) names.insert(contract_.inner_name);
  if (length == columns()) names.insert(contract_.columns_name);
  return names.size() == 1 ? *names.begin() : "";
}

std::string Product::SideNote(std::int64_t length) const {
  const std::string side = SideOfLength(length);
  return side.empty() ? "" : " (" + side + ")";
}

std::string Product::WithSide(std::int64_t length) const {
  const std::string side = SideOfLength(length);
  return Text(length) + (side.empty() ? "" : " (" + side + ")");
}

}  // namespace warplings::product_facts
