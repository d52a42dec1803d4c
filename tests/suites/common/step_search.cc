// SPDX-License-Identifier: Apache-2.0
#include "tests/suites/common/step_search.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <utility>

#include "grader/messages/joining.h"
#include "tests/suites/common/messages.h"

namespace warplings::step_search {
namespace {

/// Three known mistakes at once are rarer than one that no table has and that looks like them.
constexpr std::size_t kMostTogether = 2;

/// Calls visit(versions) for all sets of `size` wrong steps, those of different steps together.
template <class Visit>
void EachSet(const std::vector<Step>& steps, std::size_t size, Versions& versions, std::size_t from,
             const Visit& visit) {
  if (size == 0) return visit(versions);
  for (std::size_t step = from; step < steps.size(); ++step) {
    for (std::size_t i = 0; i < steps[step].size(); ++i) {
      versions[step] = static_cast<int>(i) + 1;
      EachSet(steps, size - 1, versions, step + 1, visit);
    }
    versions[step] = 0;
  }
}

std::size_t CountSets(const std::vector<Step>& steps, std::size_t size) {
  std::size_t count = 0;
  Versions versions(steps.size(), 0);
  EachSet(steps, size, versions, 0, [&](const Versions&) { ++count; });
  return count;
}

std::vector<WrongStep> MistakesOf(const std::vector<Step>& steps, const Versions& versions) {
  std::vector<WrongStep> mistakes;
  for (std::size_t step = 0; step < steps.size(); ++step) {
    if (versions[step] > 0) mistakes.push_back(steps[step][static_cast<std::size_t>(versions[step]) - 1]);
  }
  return mistakes;
}

/// "a. Or b." of at most three different words; nothing of more.
Message Alternatives(const std::vector<Message>& words) {
  switch (words.size()) {
    case 1: return words[0];
    case 2: return say::step_or_step(words[0], words[1]);
    case 3: return say::one_of_three_steps(words[0], words[1], words[2]);
    default: return {};
  }
}

/// A mistake and the number of its step.
using Numbered = std::pair<std::size_t, WrongStep>;

/// The step's mistake in another set that is meant by `mistake`: the same one, or else one of the same name
/// that the sets do not share anyway.
const WrongStep* Counterpart(const WrongStep& mistake, const std::vector<WrongStep>& own,
                             const std::vector<WrongStep>& front) {
  if (const auto same = std::ranges::find(own, mistake); same != own.end()) return &*same;
  const auto alike = std::ranges::find_if(own, [&](const WrongStep& each) {
    return each.id == mistake.id && std::ranges::count(front, each) == 0;
  });
  return alike == own.end() ? nullptr : &*alike;
}

/// What all sets share, by the misconception; its words in each of them. Not what has too many words: who
/// reads "a step differs from the contract" wants to know which.
std::vector<Numbered> Shared(const std::vector<Step>& steps, const std::vector<Versions>& sets) {
  const std::vector<WrongStep> front = MistakesOf(steps, sets.front());
  std::vector<Numbered> numbered;
  std::size_t step = 0;
  for (const WrongStep& mistake : front) {
    while (sets.front()[step] == 0) ++step;
    std::vector<Message> words;
    bool shared = true;
    for (const Versions& set : sets) {
      const std::vector<WrongStep> own = MistakesOf(steps, set);
      const WrongStep* counterpart = Counterpart(mistake, own, front);
      shared &= counterpart != nullptr;
      if (counterpart != nullptr && std::ranges::count(words, counterpart->words) == 0)
        words.push_back(counterpart->words);
    }
    const Message alternatives = Alternatives(words);
    if (shared && !alternatives.empty()) numbered.emplace_back(step, WrongStep{mistake.id, alternatives});
    ++step;
  }
  return numbered;
}

/// One answer sheet against the steps.
class Sheet {
 public:
  Sheet(const std::vector<Step>& steps, std::size_t answers, const Gives& gives)
      : steps_(steps), answers_(answers), gives_(gives) {
    const Versions right(steps.size(), 0);
    for (std::size_t i = 0; i < answers; ++i) (gives(right, i, i) ? right_ : wrong_).push_back(i);
  }

  bool AllRight() const { return wrong_.empty(); }

  /// Those sets of `size` that explain every answer.
  std::vector<Versions> Whole(std::size_t size) const {
    const auto explained = [&](const Versions& set) {
      const auto gives = [&](std::size_t i) { return gives_(set, i, i); };
      if (!std::ranges::all_of(wrong_, gives) || !std::ranges::all_of(right_, gives)) return false;
      // Several mistakes that together make one number of everything are no explanation of an answer that
      // never changes: a starter's, say.
      return size == 1 || !NeverChanges(set);
    };
    std::vector<Versions> sets;
    Versions versions(steps_.size(), 0);
    EachSet(steps_, size, versions, 0, [&](const Versions& set) {
      if (explained(set)) sets.push_back(set);
    });
    return sets;
  }

  /// Those single steps that explain the most answers, if that is much more than chance would do; with the
  /// number of answers.
  std::pair<std::vector<Versions>, std::size_t> Partial() const {
    constexpr std::size_t size = 1;
    std::vector<Versions> best;
    std::size_t most = 0;
    Versions versions(steps_.size(), 0);
    EachSet(steps_, size, versions, 0, [&](const Versions& set) {
      const std::size_t misses = Misses(set, wrong_, wrong_.size() / 4);
      if (misses > wrong_.size() / 4 || wrong_.size() - misses < kFewest) return;
      const std::size_t hits = wrong_.size() - misses, contradicted = Misses(set, right_, hits / 8);
      const std::size_t explained = hits + right_.size() - contradicted;
      if (contradicted > hits / 8 || explained < most || !BetterThanChance(set, hits, size)) return;
      if (explained > most) best.clear();
      most = explained;
      best.push_back(set);
    });
    return {best, most};
  }

  Explanation Found(const std::vector<Versions>& sets, std::size_t explained) const {
    Explanation found;
    const Versions& set = sets.front();
    for (const auto& [step, mistake] : Shared(steps_, sets)) {
      found.mistakes.push_back(mistake);
      found.named.push_back(Shown(set, step, mistake));
    }
    found.sets = sets;
    found.explained = explained;
    found.asked = answers_;
    return found;
  }

 private:
  Named Shown(const Versions& set, std::size_t step, const WrongStep& mistake) const {
    Versions alone(set.size(), 0), without = set;
    alone[step] = set[step];
    without[step] = 0;
    Named named{mistake, {}};
    std::vector<std::size_t> with_others;
    for (const std::size_t i : wrong_) {
      if (!gives_(set, i, i) || gives_(without, i, i)) continue;
      (gives_(alone, i, i) ? named.shown_by : with_others).push_back(i);
    }
    named.alone = !named.shown_by.empty();
    named.shown_by.insert(named.shown_by.end(), with_others.begin(), with_others.end());
    return named;
  }

  /// Fewer hits than this say nothing.
  static constexpr std::size_t kFewest = 6;

  /// Answers that do not come out; counts no further than one more than `most`.
  std::size_t Misses(const Versions& set, const std::vector<std::size_t>& among, std::size_t most) const {
    std::size_t misses = 0;
    for (const std::size_t i : among) {
      if (!gives_(set, i, i) && ++misses > most) break;
    }
    return misses;
  }

  bool NeverChanges(const Versions& set) const {
    for (std::size_t i = 0; i < answers_; ++i) {
      if (!gives_(set, i, (i + 1) % answers_)) return false;
    }
    return true;
  }

  /// How often the set gives the answer to *another* one of the wrongly answered questions: 0 to 1.
  double ByChance(const Versions& set) const {
    std::size_t met = 0, drawn = 0;
    for (const std::size_t distance : {1, 2, 5}) {
      for (std::size_t i = 0; i < wrong_.size(); ++i, ++drawn) {
        met += gives_(set, wrong_[i], wrong_[(i + distance) % wrong_.size()]) ? 1 : 0;
      }
    }
    return static_cast<double>(met) / static_cast<double>(drawn);
  }

  /// By Chernoff's bound n draws with that chance reach `hits` with a probability of at most exp(-n KL(hits /
  /// n || chance)); that has to be below one in a thousand for all sets of this size together.
  bool BetterThanChance(const Versions& set, std::size_t hits, std::size_t size) const {
    const auto n = static_cast<double>(wrong_.size());
    // Neither 0 nor 1, which a few draws cannot tell.
    const double p = (3 * n * ByChance(set) + 1) / (3 * n + 2);
    const double q = std::min(static_cast<double>(hits) / n, 1 - 1e-9);
    if (q <= p) return false;
    const double divergence = q * std::log(q / p) + (1 - q) * std::log((1 - q) / (1 - p));
    return n * divergence > std::log(1000.0 * static_cast<double>(CountSets(steps_, size)));
  }

  const std::vector<Step>& steps_;
  std::size_t answers_;
  const Gives& gives_;
  std::vector<std::size_t> right_, wrong_;
};

}  // namespace

std::optional<Explanation> Explain(const std::vector<Step>& steps, std::size_t answers, const Gives& gives) {
  const Sheet sheet(steps, answers, gives);
  if (sheet.AllRight()) return std::nullopt;
  for (std::size_t size = 1; size <= std::min(kMostTogether, steps.size()); ++size) {
    if (const std::vector<Versions> sets = sheet.Whole(size); !sets.empty())
      return sheet.Found(sets, answers);
  }
  if (const auto [sets, explained] = sheet.Partial(); !sets.empty()) return sheet.Found(sets, explained);
  return std::nullopt;
}

namespace {

/// How many steps are wrong in the smallest sets.
std::size_t SizeOf(const Explanation& explanation) {
  const auto is_wrong = [](int version) { return version != 0; };
  return static_cast<std::size_t>(std::ranges::count_if(explanation.sets.front(), is_wrong));
}

}  // namespace

Message Evidence(const Explanation& explanation, const Message& words, const Message& what) {
  const auto [explained, asked] = std::pair(explanation.explained, explanation.asked);
  const bool has_open_step = SizeOf(explanation) > explanation.mistakes.size();
  const Message steps = has_open_step ? say::and_an_open_step(words) : words;
  return explained == asked ? steps : say::some_follow(asked - explained, asked, what, steps);
}

namespace {

/// Traits that all wrong answers have, and the number of right ones that have them, too.
struct SharedTraits {
  std::vector<std::size_t> traits;
  std::ptrdiff_t others = 0;
};

/// The best of so many traits, which go on from `chosen`; `all` are those that every wrong answer has.
SharedTraits BestOf(std::size_t size, const std::vector<std::size_t>& all,
                    const std::vector<std::vector<bool>>& has, const std::vector<bool>& is_wrong,
                    const SharedTraits& chosen = {}) {
  if (size == 0) {
    SharedTraits counted = chosen;
    for (std::size_t i = 0; i < is_wrong.size(); ++i) {
      const auto fits = [&](std::size_t trait) { return has[trait][i]; };
      counted.others += !is_wrong[i] && std::ranges::all_of(chosen.traits, fits) ? 1 : 0;
    }
    return counted;
  }
  SharedTraits best;
  for (const std::size_t trait : all) {
    if (!chosen.traits.empty() && trait <= chosen.traits.back()) continue;
    SharedTraits longer = chosen;
    longer.traits.push_back(trait);
    const SharedTraits found = BestOf(size - 1, all, has, is_wrong, longer);
    if (!found.traits.empty() && (best.traits.empty() || found.others < best.others)) best = found;
  }
  return best;
}

/// How many names and numbers there are in a question; of words that are no data yet, how many words.
std::ptrdiff_t ValuesIn(const Message& question) {
  if (!question.IsData()) return std::ranges::count(question.english(), ' ') + 1;
  std::ptrdiff_t values = 0;
  for (const Argument& argument : question.arguments())
    values += argument.inner.empty() ? 1 : ValuesIn(argument.inner.front());
  return values;
}

/// A question without a value describes a special case: it is simpler than a formula, but not than a type and
/// a stride.
std::ptrdiff_t EffortOf(const Message& question) {
  constexpr std::ptrdiff_t kOfSpecialCase = 3;
  return question.IsData() && question.arguments().empty() ? kOfSpecialCase : ValuesIn(question);
}

/// The wrong answer whose question takes the least effort: it has the fewest things to be thought of.
std::optional<std::size_t> SimplestOf(const std::vector<bool>& is_wrong, const std::vector<Message>& names) {
  std::optional<std::size_t> simplest;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const bool is_simpler = !simplest || EffortOf(names[i]) < EffortOf(names[*simplest]);
    if (is_wrong[i] && is_simpler) simplest = i;
  }
  return simplest;
}

}  // namespace

Message WhatWrongOnesShare(const std::vector<Message>& traits, const std::vector<std::vector<bool>>& has,
                           const std::vector<bool>& is_wrong, const std::vector<Message>& names,
                           const std::vector<std::pair<Message, Message>>& answers) {
  constexpr std::ptrdiff_t kFewest = 4;
  constexpr std::size_t kMostTraits = 3;
  const std::ptrdiff_t wrong = std::ranges::count(is_wrong, true), right = std::ssize(is_wrong) - wrong;
  if (wrong < kFewest || right < kFewest) return {};
  std::vector<std::size_t> all;
  for (std::size_t t = 0; t < traits.size(); ++t) {
    bool shared = true;
    for (std::size_t i = 0; i < is_wrong.size(); ++i) shared &= !is_wrong[i] || has[t][i];
    if (shared) all.push_back(t);
  }
  SharedTraits best = BestOf(1, all, has, is_wrong);
  for (std::size_t size = 2; size <= kMostTraits; ++size) {
    const SharedTraits longer = BestOf(size, all, has, is_wrong);
    if (!longer.traits.empty() && longer.others * 2 <= best.others && best.others > 0) best = longer;
  }
  // What a third of the right ones have, too, tells nothing.
  if (best.traits.empty() || best.others > right / 3) return {};
  Message words;
  for (const std::size_t trait : best.traits)
    words = words.empty() ? traits[trait] : say::clause_and_clause(words, traits[trait]);
  const Message fact = best.others == 0 ? say::wrong_ones_share(wrong, words, right)
                                        : say::wrong_ones_share_but_some(wrong, words, right, best.others);
  const std::optional<std::size_t> simplest = SimplestOf(is_wrong, names);
  if (!simplest) return say::both(fact, say::compute_one_by_hand());
  if (answers.empty()) return say::both(fact, say::compute_this_by_hand(names[*simplest]));
  const auto& [given, right_one] = answers[*simplest];
  return say::both(fact, say::compute_this_beside(names[*simplest], given, right_one));
}

Message BesideTheRightOne(const Message& question, const Message& given, const Message& right) {
  return say::beside_the_right_one(question, given, right);
}

namespace {

/// Behind the evidence an answer that shows this mistake, which has to be there.
Message WithExample(const Message& evidence, const Explanation& explanation, const Named& named,
                    const std::vector<Asking>& askings) {
  const Message& question = askings[named.shown_by.front()].words;
  const bool shows_all =
      explanation.sets.size() == 1 && !named.alone && SizeOf(explanation) == explanation.named.size();
  return shows_all && SizeOf(explanation) > 1 ? say::example_of_both_steps(evidence, question)
                                              : say::example_of_step(evidence, question);
}

/// Of mistakes with one name, which have one advice: the one that an earlier answer shows, as the report
/// shows that answer's test.
std::vector<const Named*> ByName(const std::vector<Named>& all, std::string_view id) {
  std::vector<const Named*> found;
  for (const Named& each : all) {
    if (each.step.id == id) found.push_back(&each);
  }
  const auto first_shown = [](const Named* each) {
    return each->shown_by.empty() ? SIZE_MAX : std::ranges::min(each->shown_by);
  };
  std::ranges::stable_sort(found, {}, first_shown);
  return found;
}

/// What was done, an answer that shows it, and the other mistakes of the same name.
Message EvidenceOf(const Explanation& explanation, const std::vector<const Named*>& alike,
                   const Message& what, const std::vector<Asking>& askings) {
  const Named& first = *alike.front();
  Message evidence = Evidence(explanation, first.step.words, what);
  for (const Named* other : std::span(alike).subspan(1)) {
    evidence = say::and_another_step(evidence, other->step.words);
  }
  // The report's first test shows the first one of several.
  if (alike.size() == 1 && !askings.empty() && !first.shown_by.empty()) {
    evidence = WithExample(evidence, explanation, first, askings);
  }
  if (askings.empty() || first.shown_by.empty()) return evidence;
  return say::of_test(askings[first.shown_by.front()].test, evidence);
}

}  // namespace

std::vector<Fact> Name(const std::optional<Explanation>& explanation, const Message& what,
                       const std::vector<Asking>& askings) {
  std::vector<Fact> found;
  if (!explanation) return found;
  const bool quotes = askings.size() == explanation->asked;
  for (const Named& named : explanation->named) {
    auto known = std::ranges::find(found, named.step.id, &Fact::id);
    if (known == found.end()) {
      const std::vector<const Named*> alike = ByName(explanation->named, named.step.id);
      found.push_back(
          {named.step.id, EvidenceOf(*explanation, alike, what, quotes ? askings : std::vector<Asking>())});
      known = found.end() - 1;
    }
    if (!quotes) continue;
    for (const std::size_t answer : named.shown_by) {
      const std::string& test = askings[answer].test;
      if (std::ranges::count(known->tests, test) == 0) known->tests.push_back(test);
    }
  }
  return found;
}

}  // namespace warplings::step_search
