// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "grader/suite/random_values.h"
#include "tests/suites/common/step_search.h"

namespace warplings::step_search {

// Students that a test makes up for a calculation: all who do one step wrongly, all who do two, and some who
// answer anything at all.

/// What is found, for a test's message.
inline std::string WordsOfAll(const Explanation& found) {
  std::string words;
  for (const WrongStep& each : found.mistakes) words += (words.empty() ? "" : "; ") + English(each.words);
  return words;
}

template <class Question, class Answer>
using Answered = std::vector<std::pair<Question, Answer>>;

template <class Question, class Answer>
Answered<Question, Answer> AnswersOf(const Calculation<Question, Answer>& calculation,
                                     const std::vector<Question>& questions, const Versions& versions) {
  Answered<Question, Answer> answers;
  for (const Question& each : questions) answers.emplace_back(each, calculation.answer(each, versions));
  return answers;
}

inline std::set<std::string> IdsOf(const std::vector<WrongStep>& mistakes) {
  std::set<std::string> ids;
  for (const WrongStep& each : mistakes) ids.insert(each.id);
  return ids;
}

/// What became of the made-up students of one kind.
struct Tally {
  int students = 0;
  int exact = 0;    ///< Named by just what they did.
  int part = 0;     ///< Named by a part of it; the rest changes no answer, or is uncertain.
  int silent = 0;   ///< Several smallest explanations that share nothing.
  int unseen = 0;   ///< All answers right: what they did changes none.
  int another = 0;  ///< Named by something that they did not do, which gives the same answers.
};

/// Counts them for all who do `size` steps wrongly, and lists what is named by another name.
template <class Question, class Answer, class Same>
Tally TallyOf(const Calculation<Question, Answer>& calculation, const std::vector<Question>& questions,
              const Same& same, std::size_t size) {
  Tally tally;
  const auto judge = [&](const Versions& versions) {
    ++tally.students;
    std::vector<WrongStep> did;
    for (std::size_t i = 0; i < versions.size(); ++i) {
      if (versions[i] > 0) did.push_back(calculation.steps[i][static_cast<std::size_t>(versions[i]) - 1]);
    }
    const auto found = Explain(calculation, AnswersOf(calculation, questions, versions), same);
    if (!found) {
      ++tally.unseen;
      if (size == 1) std::printf("  without effect: %s\n", English(did.front().words).c_str());
      return;
    }
    EXPECT_EQ(found->explained, found->asked);
    const std::set<std::string> truth = IdsOf(did), named = IdsOf(found->mistakes);
    if (named.empty()) {
      ++tally.silent;
      if (size == 1) std::printf("  uncertain: %s\n", English(did.front().words).c_str());
    } else if (named == truth) {
      ++tally.exact;
    } else if (std::ranges::includes(truth, named)) {
      ++tally.part;
    } else {
      ++tally.another;
      std::string words;
      for (const WrongStep& each : did) words += (words.empty() ? "" : " + ") + English(each.words);
      std::printf("  %s: %s\n", words.c_str(), WordsOfAll(*found).c_str());
    }
  };
  Versions versions = calculation.Right();
  for (std::size_t a = 0; a < versions.size(); ++a) {
    for (versions[a] = 1; versions[a] <= static_cast<int>(calculation.steps[a].size()); ++versions[a]) {
      if (size == 1) judge(versions);
      for (std::size_t b = a + 1; size == 2 && b < versions.size(); ++b) {
        for (versions[b] = 1; versions[b] <= static_cast<int>(calculation.steps[b].size()); ++versions[b])
          judge(versions);
        versions[b] = 0;
      }
    }
    versions[a] = 0;
  }
  std::printf(
      "%zu at once: %d students, %d named exactly, %d in part, %d uncertain, %d without effect, %d as "
      "another\n",
      size, tally.students, tally.exact, tally.part, tally.silent, tally.unseen, tally.another);
  return tally;
}

/// Students who have the right answers in a random order, and those whose answers `any(random)` makes: nobody
/// is accused.
template <class Question, class Answer, class Same, class Any>
void ExpectNonsenseIsAccusedOfNothing(const Calculation<Question, Answer>& calculation,
                                      const std::vector<Question>& questions, const Same& same,
                                      const Any& any) {
  for (int seed = 0; seed < 40; ++seed) {
    RandomValues random(static_cast<std::uint64_t>(seed));
    Answered<Question, Answer> answers = AnswersOf(calculation, questions, calculation.Right());
    if (seed % 2 == 0) {
      for (std::size_t i = answers.size(); i > 1; --i) {
        std::swap(answers[i - 1].second, answers[random.Below(i)].second);
      }
    } else {
      for (auto& each : answers) each.second = any(random);
    }
    const auto found = Explain(calculation, answers, same);
    EXPECT_FALSE(found.has_value() && !found->mistakes.empty()) << WordsOfAll(*found);
  }
}

/// One mistake everywhere, and anything at all in each tenth answer: the mistake is still named, or nothing
/// is. Returns for how many of the single mistakes it is.
template <class Question, class Answer, class Same, class Any>
int ExpectNoiseChangesNoName(const Calculation<Question, Answer>& calculation,
                             const std::vector<Question>& questions, const Same& same, const Any& any) {
  int named = 0;
  Versions versions = calculation.Right();
  for (std::size_t step = 0; step < versions.size(); ++step) {
    for (versions[step] = 1; versions[step] <= static_cast<int>(calculation.steps[step].size());
         ++versions[step]) {
      Answered<Question, Answer> answers = AnswersOf(calculation, questions, versions);
      RandomValues random(7);
      for (std::size_t i = 0; i < answers.size(); i += 10) answers[i].second = any(random);
      const auto found = Explain(calculation, answers, same);
      if (!found || found->mistakes.empty()) continue;
      const WrongStep& did = calculation.steps[step][static_cast<std::size_t>(versions[step]) - 1];
      const std::set<std::string> ids = IdsOf(found->mistakes);
      named += ids.contains(did.id) ? 1 : 0;
      EXPECT_TRUE(ids.contains(did.id)) << did.words << ": " << WordsOfAll(*found);
    }
    versions[step] = 0;
  }
  std::printf("with noise: %d named\n", named);
  return named;
}

}  // namespace warplings::step_search
