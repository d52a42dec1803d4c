// SPDX-License-Identifier: Apache-2.0
#include "tests/chapters/common/step_search.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace warplings::step_search {
namespace {

constexpr std::size_t kMostTogether = 3;  ///< More mistakes at once nobody tells apart.

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

/// "a, or b" of at most three different words; nothing of more.
std::string Alternatives(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& each : words) text += (text.empty() ? "" : ", or ") + each;
  return words.size() <= 3 ? text : "";
}

/// What all sets share, by the misconception; its words in each of them.
std::vector<WrongStep> Shared(const std::vector<Step>& steps, const std::vector<Versions>& sets) {
  std::vector<WrongStep> shared = MistakesOf(steps, sets.front());
  std::vector<std::vector<std::string>> words(shared.size());
  for (const Versions& set : sets) {
    const std::vector<WrongStep> own = MistakesOf(steps, set);
    for (std::size_t i = 0; i < shared.size(); ++i) {
      // Of two mistakes with one name the same one, where it is there.
      auto same = std::ranges::find(own, shared[i]);
      if (same == own.end()) same = std::ranges::find(own, shared[i].id, &WrongStep::id);
      if (same == own.end()) {
        shared[i].id.clear();
      } else if (std::ranges::count(words[i], same->words) == 0) {
        words[i].push_back(same->words);
      }
    }
  }
  for (std::size_t i = 0; i < shared.size(); ++i) shared[i].words = Alternatives(words[i]);
  std::erase_if(shared, [](const WrongStep& each) { return each.id.empty(); });
  return shared;
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

  /// Those sets of `size` that explain the most answers, if that is much more than chance would do; with the
  /// number of answers.
  std::pair<std::vector<Versions>, std::size_t> Partial(std::size_t size) const {
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
    return {Shared(steps_, sets), sets, explained, right_.size(), answers_};
  }

 private:
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
  for (const std::size_t size : {1, 2}) {
    if (const auto [sets, explained] = sheet.Partial(size); !sets.empty())
      return sheet.Found(sets, explained);
  }
  return std::nullopt;
}

std::string Evidence(const Explanation& explanation, const std::string& what) {
  const std::string asked = std::to_string(explanation.asked);
  std::string text = explanation.explained == explanation.asked
                         ? "all " + asked + " " + what
                         : std::to_string(explanation.explained) + " of " + asked + " " + what;
  std::string words;
  for (const WrongStep& each : explanation.mistakes) {
    if (!each.words.empty()) words += (words.empty() ? " follow from this: " : "; ") + each.words;
  }
  text += words.empty() ? " follow from this" : words;
  if (explanation.explained < explanation.asked) {
    text += ". " + std::to_string(explanation.right) + " are right, so something else is wrong, too";
  }
  return text;
}

std::vector<Recognised> Name(const std::optional<Explanation>& explanation, const std::string& what) {
  std::vector<Recognised> found;
  if (!explanation) return found;
  for (const WrongStep& each : explanation->mistakes) {
    if (std::ranges::find(found, each.id, &Recognised::id) != found.end()) continue;
    found.push_back({each.id, Evidence(*explanation, what)});
  }
  return found;
}

}  // namespace warplings::step_search
