// SPDX-License-Identifier: Apache-2.0
#include "grader/suite/linear_formula.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <utility>

#include "grader/suite/product_formula.h"

namespace warplings {
namespace {

constexpr std::size_t kShown = 3, kShownRanges = 3;

std::string TimesText(std::int64_t times) {
  if (times == 2) return "twice";
  return std::to_string(times) + " times";
}

class Linear {
 public:
  Linear(const LinearContract& contract, const ProbeResult& probed) : contract_(contract), probed_(probed) {}

  Explanation Explain(bool every) {
    Explanation explanation;
    explanation.call = contract_.call;
    if (every) explanation.every = Every();
    for (const FoundFormula& found : probed_.formulas) {
      if (!found.known || IsRight(found)) continue;
      ++wrong_;
      if (first_ == nullptr) first_ = &found;
      untouched_ += found.IsUntouched();
      if (found.IsUntouched() && first_untouched_ == nullptr) first_untouched_ = &found;
      if (!found.IsUntouched() && first_stored_ == nullptr) first_stored_ = &found;
      if (explanation.elements.size() < kShown) explanation.elements.push_back(FormulaOf(found));
    }
    if (wrong_ > 0) explanation.facts = Facts();
    return explanation;
  }

 private:
  std::string Input(ElementIndex index) const {
    const auto count = static_cast<ElementIndex>(contract_.input_count);
    if (index < 0) return contract_.input + "[" + std::to_string(index) + "]";
    if (index >= count) return contract_.input + "[end+" + std::to_string(index - count + 1) + "]";
    return contract_.input + contract_.input_place(static_cast<std::size_t>(index));
  }
  std::string Output(const FoundFormula& found) const {
    return contract_.output + contract_.output_place(found.element);
  }

  bool IsRight(const FoundFormula& found) const {
    const auto right = contract_.right(found.element);
    const auto same = [](const ProbeTerm& term, ElementIndex index) {
      return term.a == index && term.times == 1;
    };
    return found.before_times == 0 && found.constant == 0 && std::ranges::equal(found.terms, right, same);
  }

  ElementFormula FormulaOf(const FoundFormula& found) const {
    ElementFormula formula;
    formula.element = Output(found);
    formula.stored = !found.IsUntouched();
    for (const ElementIndex index : contract_.right(found.element))
      formula.right.push_back({1, {Input(index)}});
    if (!formula.stored) return formula;
    if (found.before_times != 0)
      formula.yours.push_back({found.before_times, {contract_.output + " before the call"}});
    for (const ProbeTerm& term : found.terms) formula.yours.push_back({term.times, {Input(term.a)}});
    if (found.constant != 0) formula.yours.push_back({found.constant, {}});
    return formula;
  }

  std::vector<ElementFormula> Every() const {
    std::vector<ElementFormula> formulas;
    std::size_t terms = 0;
    for (const FoundFormula& found : probed_.formulas) {
      if (!found.known) continue;
      ElementFormula formula = FormulaOf(found);
      terms += formula.yours.size() + formula.right.size();
      if (terms > kMaximumTerms) break;
      formulas.push_back(std::move(formula));
    }
    return formulas;
  }

  std::vector<std::string> Facts() const {
    std::vector<std::string> facts;
    if (untouched_ == probed_.formulas.size())
      return {"Nothing is stored in " + contract_.output + " at all."};
    if (untouched_ == 1) facts.push_back(Output(*first_untouched_) + " is never stored.");
    if (untouched_ > 1) {
      facts.push_back(std::to_string(untouched_) + " elements of " + contract_.output +
                      " are never stored, the first is " + Output(*first_untouched_) + ".");
    }
    if (first_stored_ != nullptr) DescribeFirst(*first_stored_, facts);
    if (probed_.leaves_a)
      facts.push_back("What lies in memory around " + contract_.input + " is taken in, too.");
    return facts;
  }

  void DescribeFirst(const FoundFormula& found, std::vector<std::string>& facts) const {
    const auto right = contract_.right(found.element);
    const std::string name = Output(found);
    if (right.size() == 1 && found.terms.empty() && found.before_times == 0 && found.constant != 0) {
      facts.push_back(name + " holds " + std::to_string(found.constant) + ", whatever " + contract_.input +
                      " holds; it should hold " + Input(right.front()) + ".");
      return;
    }
    if (found.before_times != 0) {
      facts.push_back("What was there before the call is in " + name +
                      ": which line sets it to 0 before anything is added to it?");
    }
    if (found.constant != 0) {
      facts.push_back(name + " has " + std::to_string(std::abs(found.constant)) + " too " +
                      (found.constant < 0 ? "little" : "much") + ", even where " + contract_.input +
                      " holds zeros.");
    }
    const bool is_one = found.terms.empty() || (found.terms.size() == 1 && found.terms.front().times == 1);
    if (right.size() == 1 && is_one && found.before_times == 0 && found.constant == 0) {
      facts.push_back(name + " holds " + (found.terms.empty() ? "0" : Input(found.terms.front().a)) +
                      "; it should hold " + Input(right.front()) + ".");
      return;
    }
    std::map<ElementIndex, std::int64_t> times;
    for (const ElementIndex index : right) times[index] = 0;
    for (const ProbeTerm& term : found.terms) times[term.a] = term.times;
    std::vector<ElementIndex> missing, foreign, taken_away;
    std::map<ElementIndex, std::int64_t> repeated;
    for (const auto& [index, count] : times) {
      const bool belongs = std::ranges::binary_search(right, index);
      if (belongs && count == 0) missing.push_back(index);
      if (!belongs) foreign.push_back(index);
      if (belongs && count < 0) taken_away.push_back(index);
      if (belongs && count > 1) repeated[index] = count;
    }
    if (!missing.empty()) facts.push_back(name + " lacks " + Ranges(missing) + ".");
    if (!taken_away.empty())
      facts.push_back(name + " has " + Ranges(taken_away) + " taken away instead of added.");
    if (!repeated.empty()) facts.push_back(Repeated(name, repeated));
    if (!foreign.empty())
      facts.push_back(name + " takes in " + Ranges(foreign) + ", too, which it should not have.");
  }

  /// "sums[0] has X[0] to X[6] twice.": how often tells who else added it.
  std::string Repeated(const std::string& name, const std::map<ElementIndex, std::int64_t>& times) const {
    std::vector<ElementIndex> indices;
    for (const auto& [index, count] : times) indices.push_back(index);
    const auto count_of = [](const auto& each) { return each.second; };
    const auto [least, most] = std::ranges::minmax_element(times, {}, count_of);
    if (least->second == most->second)
      return name + " has " + Ranges(indices) + " " + TimesText(most->second) + ".";
    return name + " has more than once: " + Ranges(indices) + "; " + Input(most->first) + " " +
           TimesText(most->second) + ".";
  }

  /// "X[1] to X[3], X[7] and 4 more".
  std::string Ranges(const std::vector<ElementIndex>& indices) const {
    std::string text;
    std::size_t ranges = 0, i = 0;
    while (i < indices.size() && ranges < kShownRanges) {
      std::size_t last = i;
      while (last + 1 < indices.size() && indices[last + 1] == indices[last] + 1) ++last;
      text += (text.empty() ? "" : ", ") + Input(indices[i]);
      if (last > i) text += (last == i + 1 ? ", " : " to ") + Input(indices[last]);
      i = last + 1;
      ++ranges;
    }
    if (i < indices.size()) text += " and " + std::to_string(indices.size() - i) + " more";
    return text;
  }

  const LinearContract& contract_;
  const ProbeResult& probed_;
  std::size_t wrong_ = 0, untouched_ = 0;
  const FoundFormula* first_ = nullptr;
  const FoundFormula* first_untouched_ = nullptr;
  const FoundFormula* first_stored_ = nullptr;
};

}  // namespace

Explanation ExplainLinear(const LinearContract& contract, const ProbeResult& probed, bool every) {
  return Linear(contract, probed).Explain(every);
}

std::vector<std::string> FactsOfCounts(const std::string& input, const std::vector<CountedRange>& ranges) {
  std::vector<std::string> facts;
  for (const CountedRange& range : ranges) {
    if (range.times == 1) continue;
    const bool one = range.first == range.last;
    const std::string elements =
        one ? "Element " + std::to_string(range.first)
            : "Elements " + std::to_string(range.first) + " to " + std::to_string(range.last);
    facts.push_back(elements + " of " + input + (one ? " is " : " are ") +
                    (range.times == 0 ? "never counted" : "counted " + TimesText(range.times)) + ".");
  }
  return facts;
}

}  // namespace warplings
