// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "grader/suite/device_work.h"
#include "grader/suite/judge.h"
#include "tests/suites/05_bank_conflicts/messages.h"
#include "tests/suites/common/broken_off.h"
#include "tests/suites/common/step_search.h"
#include "tests/suites/common/wrong_tests.h"

namespace warplings::bank_conflicts {

/// One line of a test: what is asked, and how the report names it.
template <class Question>
struct Asked {
  Message name;  ///< "float, stride 8".
  Question question;
};

/// A question that a submission was asked, and what it answered.
template <class Question, class Answer>
struct Answered {
  Question question;
  Answer given;
  step_search::Asking asking{};
};

template <class Question, class Answer>
std::vector<step_search::Asking> AskingsOf(const std::vector<Answered<Question, Answer>>& all) {
  std::vector<step_search::Asking> askings;
  for (const auto& each : all) askings.push_back(each.asking);
  return askings;
}

/// Makes the calls of one test; stops at the first that does not return.
template <class Answer, class Question, class CallOne>
CallReport AskAll(const std::vector<Asked<Question>>& questions, const CallOne& call_one,
                  std::vector<Answered<Question, Answer>>& answers) {
  constexpr std::uint64_t kNoKernelExpected = 1'000'000;
  return Session().Call({}, kNoKernelExpected, [&](Worker& worker, std::span<const DevicePointer>) {
    CallOutcome outcome;
    std::string printed;
    answers.clear();  // With a card the calls are made on the virtual GPU first, then again.
    for (const Asked<Question>& each : questions) {
      outcome = call_one(worker, each.question);
      printed += outcome.printed;
      if (outcome.verdict != Verdict::kPassed) break;
      const std::optional<Answer> answer = outcome.template ResultAs<Answer>();
      if (!answer) break;
      answers.push_back({each.question, *answer, {RunningTest(), each.name}});
    }
    outcome.printed = printed;
    return outcome;
  });
}

/// Asks, compares and says what is wrong. `text` writes an answer for the report, `next_step` is said where
/// one is wrong; all answers of all tests are kept in `all`. `note` says the way to the right answer.
template <class Answer, class Question, class CallOne>
TestResult CheckAnswers(const Message& title, const std::vector<Asked<Question>>& questions,
                        const CallOne& call_one, const std::function<Answer(const Question&)>& right,
                        const std::function<Message(const Answer&)>& text, const Message& next_step,
                        std::vector<Answered<Question, Answer>>& all,
                        const std::function<Message(const Question&)>& note = nullptr) {
  std::vector<Answered<Question, Answer>> answers;
  TestResult result = ResultOf(title, AskAll(questions, call_one, answers));
  if (answers.size() < questions.size()) NameQuestion(questions[answers.size()].name, result);
  result.element_count = questions.size();
  result.wrong_count = 0;
  const Message* first_wrong = nullptr;
  for (std::size_t i = 0; i < answers.size(); ++i) {
    const Message expected = text(right(questions[i].question)), given = text(answers[i].given);
    if (expected == given) continue;
    ++result.wrong_count;
    if (first_wrong == nullptr) first_wrong = &questions[i].name;
    if (result.wrong.size() < Comparison::kMaxListed) {
      result.wrong.push_back(
          {questions[i].name, expected, given, note ? note(questions[i].question) : Message()});
    }
  }
  if (first_wrong != nullptr) {
    NoteWrongAnswers();
    AddVerdict(result, Verdict::kWrongResult,
               say::bank_answers_wrong(result.wrong_count, questions.size(), *first_wrong), next_step);
  } else if (answers.size() < questions.size() && result.verdict == Verdict::kPassed) {
    // A call that did not return, or was not made because others had not, says so itself.
    AddVerdict(result, Verdict::kWrongResult, say::bank_answer_missing(), say::bank_answer_missing_step());
  }
  all.insert(all.end(), answers.begin(), answers.end());
  RequireNoLaunch(result);
  return result;
}

}  // namespace warplings::bank_conflicts
