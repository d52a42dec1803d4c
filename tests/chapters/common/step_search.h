// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "grader/judge/suite_messages.h"

namespace warplings::step_search {

// Finds the wrong steps behind the answers of a submission. An exercise that asks for numbers describes its
// calculation as steps, each with its right version and with those that a student may take for it: another
// unit, another direction of rounding, a limit that is forgotten. The search asks which wrong versions,
// singly or together, reproduce the answers.

/// A step done wrongly.
struct WrongStep {
  std::string id;     ///< Of the misconception in chapter.toml; several versions may share one.
  std::string words;  ///< What was done, to be read after "with": "a warp's registers not rounded up".

  friend bool operator==(const WrongStep&, const WrongStep&) = default;
};

/// All versions of one step but the right one, which is number 0; wrong[0] is number 1.
using Step = std::vector<WrongStep>;

/// The version of each step.
using Versions = std::vector<int>;

/// A calculation's steps, and what it gives with certain versions of them.
template <class Question, class Answer>
struct Calculation {
  std::vector<Step> steps;
  std::function<Answer(const Question&, const Versions&)> answer;

  Versions Right() const { return Versions(steps.size(), 0); }
};

struct Explanation {
  /// The smallest set of wrong steps; where several sets are as small, the misconceptions that all of them
  /// share, with "a, or b" for words that differ. Empty where they share nothing.
  std::vector<WrongStep> mistakes;
  std::vector<Versions> sets;  ///< The smallest sets, all that explain as much.
  std::size_t explained = 0;   ///< Answers that come out.
  std::size_t right = 0;       ///< Answers that are right.
  std::size_t asked = 0;       ///< All answers.
};

/// True when the calculation, done in these versions, gives for question `q` what the submission answered to
/// question `a`. The search asks with two different numbers to learn how much agrees by chance.
using Gives = std::function<bool(const Versions& versions, std::size_t q, std::size_t a)>;

/// Searches singles, then pairs, then triples; stops at the first size that explains every answer. Where none
/// does, the best single or pair that explains most of the wrong answers, contradicts few of the right ones,
/// and is far better than chance. Nothing where all answers are right, or where nothing explains them.
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

/// "all 48 answers follow from this: a warp's registers not rounded up; the reserved bytes left out"; `what`
/// names the numbers: "answers".
std::string Evidence(const Explanation& explanation, const std::string& what);

/// One for each misconception of the explanation, with the evidence; none where there is no explanation.
std::vector<Recognised> Name(const std::optional<Explanation>& explanation, const std::string& what);

}  // namespace warplings::step_search
