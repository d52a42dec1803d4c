// SPDX-License-Identifier: Apache-2.0
#include "grader/report/result_words.h"

#include <algorithm>
#include <cstdio>
#include <span>

#include "grader/base/catalogue.h"
#include "grader/base/text.h"
#include "grader/messages/build.h"
#include "grader/messages/report.h"

namespace warplings {

std::string PrintableWords(const Message& message) {
  return Printable(Words(message));
}

std::string GroupedEnglish(const Message& message) {
  static const Catalogue no_translation;
  return no_translation.Words(message);
}

Message NamedTitleOf(const TestResult& test) {
  return test.title.empty() ? Message(test.name) : test.title;
}

std::string TitleOf(const TestResult& test) {
  return PrintableWords(NamedTitleOf(test));
}

bool MissesARequirement(const TestResult& test) {
  return test.verdict == Verdict::kWrongResult && test.element_count > 0 && test.wrong_count == 0;
}

bool ValuesAreRight(const ExerciseResult& result) {
  if (result.verdict == Verdict::kPassed) return true;
  if (result.verdict != Verdict::kWrongResult) return false;
  const auto compared = [](const TestResult& test) { return test.element_count > 0; };
  return std::ranges::any_of(result.tests, compared) &&
         std::ranges::all_of(result.tests, [](const TestResult& test) {
           return test.verdict == Verdict::kPassed ||
                  (test.verdict == Verdict::kWrongResult && test.wrong_count == 0);
         });
}

namespace {

bool HasError(std::span<const TestResult> tests, FindingKind kind) {
  const auto is_it = [kind](const Finding& finding) {
    return finding.kind == kind && finding.severity == Severity::kError;
  };
  return std::ranges::any_of(
      tests, [&](const TestResult& test) { return std::ranges::any_of(test.findings, is_it); });
}

std::string WordsOf(Verdict verdict, std::span<const TestResult> tests) {
  if (verdict == Verdict::kFinding) return "the virtual GPU saw an error";
  // A call that was refused has the same verdict, and no launch need have failed.
  const bool is_of_call = verdict == Verdict::kLaunchFailed && HasError(tests, FindingKind::kInvalidCall) &&
                          !HasError(tests, FindingKind::kInvalidLaunch);
  if (is_of_call) return "CUDA call failed";
  // Nobody waited for a limit: the virtual GPU sees at once that no thread can go on.
  const bool is_deadlock =
      verdict == Verdict::kTimeLimit && std::ranges::all_of(tests, [](const TestResult& test) {
        return test.verdict != Verdict::kTimeLimit || HasError({&test, 1}, FindingKind::kDeadlock);
      });
  if (is_deadlock && HasError(tests, FindingKind::kDeadlock)) return "deadlock";
  std::string words(VerdictName(verdict));
  std::ranges::replace(words, '_', ' ');
  return words;
}

}  // namespace

Message LuckOf(const ExerciseResult& result) {
  if (result.verdict != Verdict::kPassed) return {};
  for (const Diagnostic& each : result.diagnostics) {
    // An array of which some elements are set may be read at just these.
    const bool is_sure = say::array_read_unset.Made(each.message) || say::sum_read_unset.Made(each.message) ||
                         say::variable_read_unset.Made(each.message) ||
                         say::variable_used_unset.Made(each.message);
    if (is_sure)
      return say::used_before_it_is_set(each.message.arguments().front().text, say::Line(each.where.line));
    if (say::loop_reads_unset_elements.Made(each.message) ||
        say::loop_reads_many_unset_elements.Made(each.message))
      return say::used_before_all_are_set(each.message.arguments().front().text, say::Line(each.where.line));
    if (say::loop_past_array.Made(each.message) || say::loop_past_small_array.Made(each.message)) {
      const std::vector<Argument>& said = each.message.arguments();
      return say::loop_leaves_array(said.at(0).text, say::Line(each.where.line), said.at(2).text);
    }
    if (say::index_past_array.Made(each.message) || say::array_index_or_loop.Made(each.message)) {
      const std::vector<Argument>& said = each.message.arguments();
      return say::loop_leaves_array(said.at(0).text, say::Line(static_cast<int>(said.at(6).number)),
                                    said.at(2).text);
    }
  }
  return {};
}

std::string WordsOfLuck(const ExerciseResult& result) {
  const Message luck = LuckOf(result);
  return luck.empty() ? "" : PrintableWords(say::passed_by_luck(luck));
}

std::string VerdictWords(const TestResult& test) {
  return WordsOf(test.verdict, {&test, 1});
}

std::string VerdictWords(const ExerciseResult& result) {
  if (result.verdict == Verdict::kWrongResult && ValuesAreRight(result)) {
    return "all values are right, but another requirement is not met";
  }
  if (say::file_empty.Made(result.reason)) return "empty file";
  return WordsOf(result.verdict, result.tests);
}

std::string WhyUnread(const ClassGrades& grades, const GradeCell& cell) {
  if (cell.state == GradeCell::State::kUnusable) return cell.problem;
  if (cell.state != GradeCell::State::kGraded || !cell.text) return "";
  const Message& reason = grades.texts[*cell.text].result.reason;
  const bool is_unread = say::file_too_large.Made(reason) || say::file_empty.Made(reason) ||
                         say::file_is_utf16.Made(reason) || say::line_is_no_utf8.Made(reason);
  return is_unread ? GroupedEnglish(reason) : "";
}

std::string PointsText(double points) {
  char text[32];
  std::snprintf(text, sizeof text, "%g", points);
  return text;
}

}  // namespace warplings
