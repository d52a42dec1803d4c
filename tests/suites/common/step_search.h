// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "grader/suite/suite_messages.h"

namespace warplings::step_search {

// Finds out which steps of a calculation a submission does wrongly. An exercise that asks for numbers
// describes its calculation as steps, each with the right version and plausible wrong versions: another unit,
// another direction of rounding, a limit that is forgotten. The search finds the wrong versions that, singly
// or together, reproduce the submission's answers.

/// A step done wrongly.
struct WrongStep {
  std::string id;  ///< Of the fact that it was done; several versions may share one.
  /// What the program does, as sentences that may follow "Seen in 2 of 9 tests:", and a question whose answer
  /// is the repair: "you do not round a warp's registers up."
  Message words;

  friend bool operator==(const WrongStep&, const WrongStep&) = default;
};

/// All versions of one step but the right one, which is number 0; wrong[0] is number 1.
using Step = std::vector<WrongStep>;

/// The version of each step.
using Versions = std::vector<int>;

/// The steps of a calculation, and its result for given versions of them.
template <class Question, class Answer>
struct Calculation {
  std::vector<Step> steps;
  std::function<Answer(const Question&, const Versions&)> answer;

  Versions Right() const { return Versions(steps.size(), 0); }
};

/// A set's mistake with what shows it.
struct Named {
  WrongStep step;
  /// Wrong answers that follow from the set and would not without this step, by their numbers. Of several
  /// mistakes those come first that follow from this one alone.
  std::vector<std::size_t> shown_by;
  bool alone = false;  ///< The first of them follows from this step alone.
};

struct Explanation {
  /// The smallest set of wrong steps; where several sets are as small, the facts that all of them
  /// share, with "a. Or b." for words that differ. Empty where they share nothing.
  std::vector<WrongStep> mistakes;
  std::vector<Named> named{};  ///< The same mistakes.
  std::vector<Versions> sets;  ///< The smallest sets, all that explain as much.
  std::size_t explained = 0;   ///< Answers that come out.
  std::size_t asked = 0;       ///< All answers.
};

/// True when the calculation, done in these versions, gives for question `q` what the submission answered to
/// question `a`. The search asks with two different numbers to learn how much agrees by chance.
using Gives = std::function<bool(const Versions& versions, std::size_t q, std::size_t a)>;

/// Tries single wrong steps, then pairs; stops at the first size that explains every answer. If
/// none does, returns the best single step that explains most of the wrong answers, contradicts few right
/// ones, and is far better than chance. Two steps that leave a rest are none: a program that does one thing
/// otherwise, which no table has, comes close to many pairs. Nothing if all answers are right or nothing
/// explains them.
std::optional<Explanation> Explain(const std::vector<Step>& steps, std::size_t answers, const Gives& gives);

/// For a list of {question, answer}; `same` compares two answers.
template <class Question, class Answer, class Same>
std::optional<Explanation> Explain(const Calculation<Question, Answer>& calculation,
                                   const std::vector<std::pair<Question, Answer>>& answered,
                                   const Same& same) {
  return Explain(calculation.steps, answered.size(),
                 [&](const Versions& versions, std::size_t q, std::size_t a) {
                   return same(calculation.answer(answered[q].first, versions), answered[a].second);
                 });
}

/// Where a question was asked.
struct Asking {
  std::string test;  ///< "WarpsAreWhole".
  Message words;     ///< "a100, 33 threads, 32 registers, 0 B shared".
};

/// `words` of a mistake, where all answers come out; else "you do not round a warp's registers up. This
/// explains 40 of 48 answers." `what` names the numbers: "answers".
Message Evidence(const Explanation& explanation, const Message& words, const Message& what);

/// Something that is so for some questions and not for others. `words` are a clause: "the block's last warp
/// is not full"; several are joined by "and".
template <class Question>
struct Trait {
  Message words;
  std::function<bool(const Question&)> holds;
};

/// Where nothing explains the answers: the traits, three at most, that all questions with a wrong answer have
/// and fewest of the others, as an advice. One more trait must rule out at least half of those others. `has`
/// by trait and question. Empty where no traits tell them apart. `names` has a question's words, or is empty:
/// the wrong one with the fewest values in its words is to be computed by hand. `answers` has what was given
/// for each question and what is right, or is empty.
Message WhatWrongOnesShare(const std::vector<Message>& traits, const std::vector<std::vector<bool>>& has,
                           const std::vector<bool>& is_wrong, const std::vector<Message>& names = {},
                           const std::vector<std::pair<Message, Message>>& answers = {});

/// The same for a list of {question, answer}, with the right answers by right(question); `askings` may be
/// empty.
template <class Question, class Answer, class Right, class Same>
Message WhatWrongOnesShare(const std::vector<Trait<Question>>& traits,
                           const std::vector<std::pair<Question, Answer>>& answered, const Right& right,
                           const Same& same, const std::vector<Asking>& askings = {},
                           const std::type_identity_t<std::function<Message(const Answer&)>>& in_words = {}) {
  std::vector<Message> words;
  std::vector<std::vector<bool>> has;
  std::vector<bool> is_wrong;
  for (const auto& [question, answer] : answered) is_wrong.push_back(!same(answer, right(question)));
  for (const Trait<Question>& trait : traits) {
    words.push_back(trait.words);
    auto& of_trait = has.emplace_back();
    for (const auto& [question, answer] : answered) of_trait.push_back(trait.holds(question));
  }
  std::vector<Message> names;
  for (const Asking& each : askings) names.push_back(each.words);
  std::vector<std::pair<Message, Message>> answers;
  if (in_words) {
    for (const auto& [question, answer] : answered)
      answers.emplace_back(in_words(answer), in_words(right(question)));
  }
  return WhatWrongOnesShare(words, has, is_wrong, names, answers);
}

/// Where wrong answers share nothing: the first of them beside the right one, as an advice.
Message BesideTheRightOne(const Message& question, const Message& given, const Message& right);

/// One for each of the explanation's ids, with the evidence; none where there is no explanation.
/// Where `askings` has one for each answer, the evidence quotes one that this mistake explains, and the tests
/// are those that have such answers.
std::vector<Fact> Name(const std::optional<Explanation>& explanation, const Message& what,
                       const std::vector<Asking>& askings = {});

}  // namespace warplings::step_search
