// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "grader/suite/device_work.h"
#include "grader/suite/judge.h"
#include "tests/suites/common/broken_off.h"
#include "tests/suites/common/step_search.h"
#include "tests/suites/common/wrong_tests.h"
#include "tests/suites/messages.h"

namespace warplings {

// Shared by suites whose exercise is a host function that takes and returns plain values and launches
// nothing. One test asks it many questions.

/// A question and the submission's answer; no answer after a crash or a time-out.
template <class Question, class Answer>
struct Asked {
  Question question;
  std::optional<Answer> answer;
  std::string test{};  ///< Where it was asked: "WarpsAreWhole".
};

/// The questions that were answered, in the form that step_search takes.
template <class Question, class Answer>
std::vector<std::pair<Question, Answer>> Given(const std::vector<Asked<Question, Answer>>& all) {
  std::vector<std::pair<Question, Answer>> given;
  for (const auto& each : all) {
    if (each.answer) given.emplace_back(each.question, *each.answer);
  }
  return given;
}

/// The same ones' tests and words, for the evidence.
template <class Question, class Answer, class Words>
std::vector<step_search::Asking> AskingsOf(const std::vector<Asked<Question, Answer>>& all,
                                           const Words& words) {
  std::vector<step_search::Asking> askings;
  for (const auto& each : all) {
    if (each.answer) askings.push_back({each.test, words(each.question)});
  }
  return askings;
}

/// One test: asks questions, compares the answers, and records a TestResult.
class Interview {
 public:
  explicit Interview(Message title) {
    result_.title = std::move(title);
    result_.verdict = Verdict::kPassed;
  }

  /// Calls the submission's function; `where` describes the question. After a crash or a time-out the test
  /// makes no further calls: they would end the same way, and each would need a new process.
  template <class Answer, class... Arguments>
  std::optional<Answer> Ask(const Message& where, Arguments... arguments) {
    if (result_.verdict != Verdict::kPassed && result_.verdict != Verdict::kWrongResult) return std::nullopt;
    std::optional<Answer> answer;
    CallReport report = Session().Call({}, kBudget, [&](Worker& worker, std::span<const DevicePointer>) {
      CallOutcome outcome = worker.Call(arguments...);
      if (outcome.verdict == Verdict::kPassed) answer = outcome.template ResultAs<Answer>();
      return outcome;
    });
    asked_ = true;
    NameQuestion(where, report);
    Take(report);
    if (report.verdict == Verdict::kPassed && !answer) {
      AddVerdict(result_, Verdict::kProtocolViolation, say::answer_of_another_type(), {});
    }
    return answer;
  }

  /// Compares one value; `where` describes the question.
  void Compare(bool right, const Message& where, const Message& expected, const Message& actual,
               const Message& note = {}) {
    ++result_.element_count;
    if (right) return;
    ++result_.wrong_count;
    if (result_.wrong.size() < Comparison::kMaxListed)
      result_.wrong.push_back({where, expected, actual, note});
  }

  /// Records the test. `next_step`: the advice if an answer is wrong.
  void Finish(const Message& next_step) {
    // Then the suite is at fault, and such a test must not pass.
    if (!asked_) AddVerdict(result_, Verdict::kGraderFault, say::nothing_asked(), {});
    if (result_.wrong_count > 0) {
      NoteWrongAnswers();
      AddVerdict(result_, Verdict::kWrongResult,
                 say::answers_are_wrong(result_.wrong_count, result_.element_count), next_step);
    }
    RequireNoLaunch(result_);
    RecordResult(result_);
  }

 private:
  static constexpr std::uint64_t kBudget = 1'000'000;

  void Take(const CallReport& report) {
    AddVerdict(result_, report.verdict, report.reason, report.next_step);
    for (const Finding& finding : report.findings) {
      if (result_.findings.size() < Comparison::kMaxListed) result_.findings.push_back(finding);
    }
    result_.launches.insert(result_.launches.end(), report.launches.begin(), report.launches.end());
  }

  TestResult result_;
  bool asked_ = false;
};

}  // namespace warplings
