// SPDX-License-Identifier: Apache-2.0
#include "grader/suite/product_facts.h"

#include <algorithm>
#include <set>

#include "grader/suite/list_ranges.h"

namespace warplings::product_facts {

std::string Factor(const std::string& array, ElementIndex index, std::int64_t count, std::int64_t columns) {
  if (index < 0 || index >= count) return array + "[" + std::to_string(index) + "]";
  return array + "[" + std::to_string(index / columns) + "][" + std::to_string(index % columns) + "]";
}

Message Span(std::int64_t first, std::int64_t last) {
  return first == last ? say::one_position(first) : say::positions({first, last});
}

Message Ranges(const std::vector<std::int64_t>& all) {
  if (all.size() == 2) return say::two_positions(all[0], all[1]);
  return ListRanges(all, [](std::int64_t first, std::int64_t last) {
    return last == first + 1 ? say::two_listed(say::one_position(first), say::one_position(last))
                             : Span(first, last);
  });
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

Message Product::WithSide(std::int64_t length) const {
  const std::string side = SideOfLength(length);
  return side.empty() ? say::length_of_no_side(length) : say::length_of_side(length, side);
}

Message Product::RowWithSide(std::int64_t length) const {
  const say::Count elements(length, "element");
  const std::string side = SideOfLength(length);
  return side.empty() ? say::row_of_no_side(elements) : say::row_of_side(elements, side);
}

}  // namespace warplings::product_facts
