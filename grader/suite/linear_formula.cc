// SPDX-License-Identifier: Apache-2.0
#include "grader/suite/linear_formula.h"

#include <algorithm>
#include <map>
#include <utility>

#include "grader/messages/joining.h"
#include "grader/messages/product_facts.h"
#include "grader/suite/list_ranges.h"
#include "grader/suite/product_formula.h"

namespace warplings {
namespace {

constexpr std::size_t kShown = 3;

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
    if (index < 0 || index >= count) return contract_.input + "[" + std::to_string(index) + "]";
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

  std::vector<Message> Facts() const {
    std::vector<Message> facts;
    if (untouched_ == probed_.formulas.size()) return {say::linear_nothing_stored(contract_.output)};
    if (untouched_ == 1) facts.push_back(say::linear_one_not_stored(Output(*first_untouched_)));
    if (untouched_ > 1) {
      facts.push_back(say::linear_some_not_stored(untouched_, contract_.output, Output(*first_untouched_)));
    }
    if (first_stored_ != nullptr) DescribeFirst(*first_stored_, facts);
    if (probed_.leaves_a) facts.push_back(say::linear_leaves_input(contract_.input));
    return facts;
  }

  void DescribeFirst(const FoundFormula& found, std::vector<Message>& facts) const {
    const auto right = contract_.right(found.element);
    const std::string name = Output(found);
    if (right.size() == 1 && found.terms.empty() && found.before_times == 0 && found.constant != 0) {
      facts.push_back(
          say::linear_constant_instead(name, found.constant, contract_.input, Input(right.front())));
      return;
    }
    if (found.before_times != 0) facts.push_back(say::linear_adds_before(name));
    if (found.constant > 0) facts.push_back(say::linear_constant_more(name, found.constant, contract_.input));
    if (found.constant < 0)
      facts.push_back(say::linear_constant_less(name, -found.constant, contract_.input));
    const bool is_one = found.terms.empty() || (found.terms.size() == 1 && found.terms.front().times == 1);
    if (right.size() == 1 && is_one && found.before_times == 0 && found.constant == 0) {
      const std::string belongs = Input(right.front());
      facts.push_back(
          found.terms.empty()
              ? say::linear_holds_zero(name, belongs)
              : say::linear_holds_other(name, say::one_element(Input(found.terms.front().a)), belongs));
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
    const bool lacks_all = missing.size() == contract_.input_count && !contract_.loads_all;
    if (lacks_all && missing.size() > 1) {
      facts.push_back(say::linear_lacks_all(name, contract_.input, Input(missing.front())));
    } else if (!missing.empty()) {
      const auto& row = contract_.loads_all ? say::linear_loses : say::linear_lacks;
      facts.push_back(row(name, Ranges(missing), Input(missing.front())));
    }
    if (!taken_away.empty()) facts.push_back(say::element_has_taken_away(name, Ranges(taken_away)));
    if (!repeated.empty()) facts.push_back(Repeated(name, repeated));
    if (!foreign.empty()) facts.push_back(say::linear_foreign(name, Ranges(foreign)));
  }

  /// "sums[0] has X[0] to X[6] twice.": how often tells who else added it.
  Message Repeated(const std::string& name, const std::map<ElementIndex, std::int64_t>& times) const {
    std::vector<ElementIndex> indices;
    for (const auto& [index, count] : times) indices.push_back(index);
    const auto count_of = [](const auto& each) { return each.second; };
    const auto [least, most] = std::ranges::minmax_element(times, {}, count_of);
    const Message elements = Ranges(indices);
    if (least->second == most->second) {
      const std::string one = Input(indices.front());
      return most->second == 2 ? say::linear_has_twice(name, elements, one)
                               : say::linear_has_times(name, elements, most->second, one);
    }
    const auto& [first, count] = *times.begin();
    const auto& [other, other_count] = first == most->first ? *least : *most;
    return say::linear_has_some_times(name, elements, Input(first), count, Input(other), other_count);
  }

  /// "X[1] to X[3], X[7] and 4 more", "X[3] and X[7]".
  Message Ranges(const std::vector<ElementIndex>& indices) const {
    if (indices.size() == 2) return say::only_two_elements(Input(indices[0]), Input(indices[1]));
    return ListRanges(indices, [this](ElementIndex first, ElementIndex last) {
      if (first == last) return say::one_element(Input(first));
      return last == first + 1 ? say::two_elements(Input(first), Input(last))
                               : say::elements_to(Input(first), Input(last));
    });
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

std::vector<Message> FactsOfCounts(const std::string& input, const std::vector<CountedRange>& ranges,
                                   std::uint64_t loaded, std::uint64_t blocks) {
  std::vector<Message> facts;
  std::uint64_t counted = 0;
  for (const CountedRange& range : ranges) {
    if (range.times != 0) counted += static_cast<std::uint64_t>(range.last - range.first + 1);
  }
  // Each one that is counted is loaded at least once.
  const bool only_counted_are_loaded = loaded <= counted;
  for (const CountedRange& range : ranges) {
    if (range.times == 1) continue;
    const bool one = range.first == range.last;
    if (range.times == 0) {
      const say::Range all{range.first, range.last};
      if (only_counted_are_loaded) {
        facts.push_back(one ? say::counted_never_loaded(range.first, input)
                            : say::counted_never_loaded_in_range(all, input));
      } else {
        facts.push_back(one ? say::counted_never(range.first, input)
                            : say::counted_never_in_range(all, input));
      }
      continue;
    }
    const Message often = range.times == 2 ? say::added_twice() : say::added_times(range.times);
    if (facts.empty() && blocks > 1 && range.times == static_cast<std::int64_t>(blocks)) {
      facts.push_back(
          one ? say::counted_by_each_block(range.first, input, often, blocks)
              : say::counted_by_each_block_in_range({range.first, range.last}, input, often, blocks));
      continue;
    }
    facts.push_back(one ? say::counted_often(range.first, input, often)
                        : say::counted_often_in_range({range.first, range.last}, input, often));
  }
  return facts;
}

}  // namespace warplings
