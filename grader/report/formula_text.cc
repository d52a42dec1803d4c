// SPDX-License-Identifier: Apache-2.0
#include "grader/report/formula_text.h"

#include <algorithm>

#include "grader/base/catalogue.h"
#include "grader/base/fit.h"
#include "grader/base/text.h"
#include "grader/messages/report.h"
#include "grader/report/result_words.h"

namespace warplings {
namespace {

/// A term without its sign: "M[0][1]·N[1][2]", "3·M[0][1]", "7".
std::string TermText(const Term& term) {
  const std::int64_t times = term.times < 0 ? -term.times : term.times;
  std::string text = times == 1 && !term.factors.empty() ? "" : std::to_string(times);
  for (const std::string& factor : term.factors) text += (text.empty() ? "" : "·") + Printable(factor);
  return text;
}

bool IsAmong(const std::vector<Term>& all, const Term& term) {
  return std::ranges::any_of(
      all, [&](const Term& each) { return each.times == term.times && each.factors == term.factors; });
}

std::string Sum(const std::vector<Term>& terms, const std::vector<bool>& shown) {
  std::string text;
  bool gap = false;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    if (!shown[i]) {
      if (!gap) text += text.empty() ? "…" : " + …";
      gap = true;
      continue;
    }
    const bool minus = terms[i].times < 0;
    text += text.empty() ? (minus ? "-" : "") : (minus ? " - " : " + ");
    text += TermText(terms[i]);
    gap = false;
  }
  return text;
}

/// Whether the other sum goes on from this term, or comes to it, with one that `terms` lack.
bool IsBesideAGap(const Term& term, const std::vector<Term>& terms, const std::vector<Term>& others) {
  for (std::size_t i = 0; i < others.size(); ++i) {
    if (!IsAmong({others[i]}, term)) continue;
    if (i + 1 < others.size() && !IsAmong(terms, others[i + 1])) return true;
    if (i > 0 && !IsAmong(terms, others[i - 1])) return true;
  }
  return false;
}

/// In the order in which terms get room: those of this sum alone, or, where it only lacks some, those beside
/// the gap; then its ends, then the others.
std::vector<std::size_t> ByWeight(const std::vector<Term>& terms, const std::vector<Term>& others) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < terms.size(); ++i) order.push_back(i);
  const bool only_lacks = std::ranges::all_of(terms, [&](const Term& each) { return IsAmong(others, each); });
  const auto weight = [&](std::size_t i) {
    const bool own = !IsAmong(others, terms[i]) || (only_lacks && IsBesideAGap(terms[i], terms, others));
    const bool end = i == 0 || i + 1 == terms.size();
    return own && end ? 0 : own ? 1 : end ? 2 : 3;
  };
  // One at the front, so that a cut sum begins as all do.
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return i == 0 ? -1 : weight(i); });
  return order;
}

}  // namespace

const TestResult* ExplainedTest(const std::vector<TestResult>& tests) {
  const auto found =
      std::ranges::find_if(tests, [](const TestResult& test) { return test.explanation.has_value(); });
  return found == tests.end() ? nullptr : &*found;
}

std::string SumText(const std::vector<Term>& terms, const std::vector<Term>& others, std::size_t room) {
  if (terms.empty()) return "0";
  std::vector<bool> shown(terms.size(), true);
  std::string best = Sum(terms, shown);
  if (DisplayWidth(best) <= room) return best;
  shown.assign(terms.size(), false);
  best = "…";
  for (const std::size_t i : ByWeight(terms, others)) {
    shown[i] = true;
    std::string longer = Sum(terms, shown);
    if (DisplayWidth(longer) > room) {
      shown[i] = false;
    } else {
      best = std::move(longer);
    }
  }
  return best;
}

std::string FormulaLines(const Explanation& explanation, const ElementFormula& formula, std::size_t indent,
                         std::size_t columns) {
  const std::string yours = Translated("yours"), right = Translated("right");
  const std::string element = Printable(formula.element);
  const std::size_t label = std::max(DisplayWidth(yours), DisplayWidth(right));
  const auto padded = [](const std::string& text, std::size_t width) {
    return text + std::string(width - std::min(width, DisplayWidth(text)), ' ');
  };
  const std::string margin(indent, ' ');
  const std::size_t before = indent + DisplayWidth(element) + 2 + label + 2;
  const std::size_t room = columns > before ? columns - before : 1;
  std::string lines;
  if (!explanation.call.empty()) {
    const std::string call = PrintableWords(say::computed_for(explanation.call));
    for (const std::string& line : WrappedLines(call, columns, indent)) lines += line + "\n";
  }
  const std::string mine =
      formula.stored ? SumText(formula.yours, formula.right, room) : Translated("never stored");
  lines += margin + element + "  " + padded(yours, label) + "  " + mine + "\n";
  lines += margin + std::string(DisplayWidth(element), ' ') + "  " + padded(right, label) + "  " +
           SumText(formula.right, formula.yours, room) + "\n";
  return lines;
}

}  // namespace warplings
