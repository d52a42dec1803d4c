// SPDX-License-Identifier: Apache-2.0
#include "grader/suite/product_formula.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>

#include "grader/messages/joining.h"
#include "grader/suite/product_facts.h"

namespace warplings {
namespace {

using product_facts::Findings;
using product_facts::Product;

constexpr std::size_t kShownElements = 3;

bool Lacks(const Product& product, const FoundFormula& formula) {
  return std::ranges::any_of(product.Right(formula.element), [&](const ProbeTerm& right) {
    return std::ranges::none_of(
        formula.terms, [&](const ProbeTerm& each) { return each.a == right.a && each.b == right.b; });
  });
}

void Count(Findings& findings) {
  const Product& product = findings.product;
  ProductFacts& facts = findings.facts;
  for (const FoundFormula& formula : product.probed().formulas) {
    if (!formula.known) {
      ++facts.unknown;
      continue;
    }
    findings.known.push_back(&formula);
    if (product.IsRight(formula)) continue;
    ++facts.wrong;
    facts.untouched += formula.IsUntouched();
    facts.lacking += !formula.IsUntouched() && Lacks(product, formula);
    facts.adds_before += !formula.IsUntouched() && formula.before_times != 0;
    facts.with_constant += formula.constant != 0;
  }
  facts.wrong_is_zero =
      facts.wrong > facts.untouched && std::ranges::all_of(findings.known, [&](const FoundFormula* f) {
        return f->IsUntouched() || product.IsRight(*f) || Product::IsZero(*f);
      });
}

/// Facts that say what is the case and not what to do; and one that loads outside an array explain.
bool AsksNothing(const Message& fact) {
  for (const std::string_view statement :
       {say::product_one_not_stored.id, say::product_some_not_stored.id, say::product_rows_not_stored.id,
        say::product_columns_not_stored.id, say::product_edges_not_stored.id, say::product_all_zero.id,
        say::product_wrong_from_row.id, say::product_wrong_from_column.id, say::element_has_too_much.id,
        say::element_has_more.id, say::linear_nothing_stored.id, say::linear_one_not_stored.id,
        say::linear_some_not_stored.id}) {
    if (fact.Is(statement)) return true;
  }
  return false;
}

/// Which of the arrays are left by indices that lie outside of them.
Message InputsLeft(const Product& product) {
  const ProbeResult& probed = product.probed();
  if (probed.leaves_a && probed.leaves_b) return say::product_leaves_inputs(product.m_name(), "N");
  return say::product_leaves_input(probed.leaves_a ? product.m_name() : "N");
}

/// "width 16", "2 x 3 times 3 x 4".
Message CallOf(const ProductContract& contract) {
  if (contract.rows_name == contract.columns_name) return say::width(contract.rows);
  return say::product_call(contract.rows, contract.inner, contract.inner, contract.columns);
}

/// The names in a sentence, in their order.
std::vector<std::string> NamesInOrder(const Message& sentence) {
  std::vector<std::string> names;
  for (const Argument& argument : sentence.arguments()) {
    if (argument.kind == Argument::Kind::kName) names.push_back(argument.text);
    for (const Message& inner : argument.inner)
      std::ranges::move(NamesInOrder(inner), std::back_inserter(names));
  }
  return names;
}

/// The wrong element that the first sentence takes as its example; null if it names none, or one that is
/// stored where the first wrong element is not, as that has another cause.
const FoundFormula* ExampleOf(const Product& product, const ProductFacts& facts) {
  const std::vector<FoundFormula>& formulas = product.probed().formulas;
  const auto is_wrong = [&](const FoundFormula& found) { return found.known && !product.IsRight(found); };
  const auto first = std::ranges::find_if(formulas, is_wrong);
  if (facts.sentences.empty() || first == formulas.end()) return nullptr;
  for (const std::string& name : NamesInOrder(facts.sentences.front())) {
    const auto named = std::ranges::find_if(formulas, [&](const FoundFormula& found) {
      return is_wrong(found) && product.NameOf(found.element) == name;
    });
    if (named != formulas.end()) return named->IsUntouched() == first->IsUntouched() ? &*named : nullptr;
  }
  return nullptr;
}

}  // namespace

ProductFacts FactsOfProduct(const ProductContract& contract, const ProbeResult& probed) {
  Findings findings{.product = {contract, probed}};
  ProductFacts& facts = findings.facts;
  Count(findings);
  if (facts.wrong == 0) return std::move(facts);
  const bool moved = FindMovedSums(findings);
  // Places that another row length passes over follow from it.
  if (facts.p_row_length == 0) FindStores(findings);
  FindReads(findings);
  if (!moved && facts.sentences.empty()) DescribeFirstWrongSum(findings);
  if (probed.leaves_a || probed.leaves_b) facts.sentences.push_back(InputsLeft(findings.product));
  return std::move(facts);
}

Explanation ExplainProduct(const ProductContract& contract, const ProbeResult& probed,
                           const ProductFacts& facts, bool every) {
  const Product product(contract, probed);
  Explanation explanation;
  explanation.call = CallOf(contract);
  if (every) explanation.every.emplace();
  std::size_t terms = 0;
  const FoundFormula* example = ExampleOf(product, facts);
  if (example != nullptr) explanation.elements.push_back(product.FormulaOf(*example));
  for (const FoundFormula& found : probed.formulas) {
    if (!found.known) continue;
    const bool is_shown =
        !product.IsRight(found) && &found != example && explanation.elements.size() < kShownElements;
    if (!is_shown && (!every || terms > kMaximumTerms)) continue;
    const ElementFormula formula = product.FormulaOf(found);
    terms += formula.yours.size() + formula.right.size();
    if (is_shown) explanation.elements.push_back(formula);
    if (every && terms <= kMaximumTerms) explanation.every->push_back(formula);
  }
  explanation.facts = facts.sentences;
  return explanation;
}

Message AdviceFrom(const std::vector<Message>& facts) {
  if (facts.empty()) return {};
  // What the first wrong sum has tells more than where wrong sums begin; a launch with too few threads
  // says itself what is never stored.
  const bool has_place =
      say::product_wrong_from_row.Made(facts[0]) || say::product_wrong_from_column.Made(facts[0]);
  if (facts.size() > 1 && has_place && !AsksNothing(facts[1])) return say::both(facts[1], facts[0]);
  const bool has_launch = facts.size() > 1 && (say::product_launch_has_rows.Made(facts[1]) ||
                                               say::product_launch_has_columns.Made(facts[1]));
  if (has_launch) return facts[1];
  return facts.size() > 1 && AsksNothing(facts[0]) ? say::both(facts[0], facts[1]) : facts[0];
}

Message AdviceOfCall(const Message& call, const Message& effect, const Message& next) {
  if (!say::cause_and_remedy.Made(next)) return say::with_call(call, say::both(effect, next));
  const std::vector<Argument>& said = next.arguments();
  return say::cause_with_example(said.at(0).inner.at(0), call, effect, said.at(1).inner.at(0));
}

bool EndsWithAWholeTile(const ProductFacts& facts, int tile) {
  const auto lost = std::ranges::find_if(facts.times, [](std::int64_t times) { return times != 1; });
  const auto kept = lost - facts.times.begin();
  return kept > 0 && kept % tile == 0 && lost != facts.times.end() &&
         std::all_of(lost, facts.times.end(), [](std::int64_t times) { return times == 0; });
}

}  // namespace warplings
