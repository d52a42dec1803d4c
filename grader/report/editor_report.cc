// SPDX-License-Identifier: Apache-2.0
#include "grader/report/editor_report.h"

#include <algorithm>
#include <optional>

#include "grader/advice/finding_groups.h"
#include "grader/base/text.h"
#include "grader/messages/joining.h"
#include "grader/messages/report.h"
#include "grader/report/finding_text.h"
#include "grader/report/first_failure.h"
#include "grader/report/result_words.h"
#include "grader/report/source_quotes.h"

namespace warplings {
namespace {

/// Makes a message one line, because an editor takes a second line for another message.
std::string OneLine(std::string text) {
  std::ranges::replace(text, '\n', ' ');
  return text;
}

EditorMessage Entry(std::string rule, const std::string& file, int line, int column, Severity severity,
                    const std::string& text) {
  return {std::move(rule), OneLine(Printable(file)), std::max(line, 1), std::max(column, 1), severity,
          OneLine(text)};
}

std::string FindingMessage(const MergedFinding& merged, const SourceQuotes& quotes) {
  std::string message = GroupedEnglish(FindingSubject(merged.finding, merged.tests));
  for (const Message& detail : FindingDetails(merged.finding, quotes))
    message += "; " + Printable(English(detail));
  return message;
}

/// The compiler's message that is the result's reason; null if there is none. `messages` begins with the
/// compiler's.
const EditorMessage* MessageOfReason(const ExerciseResult& result,
                                     const std::vector<EditorMessage>& messages) {
  if (result.verdict != Verdict::kCompileError) return nullptr;
  const auto found = std::ranges::find_if(result.diagnostics, [&](const Diagnostic& each) {
    return each.severity == Severity::kError && !each.message.empty() &&
           Contains(result.reason, each.message);
  });
  return found == result.diagnostics.end()
             ? nullptr
             : &messages[static_cast<std::size_t>(found - result.diagnostics.begin())];
}

/// The advice with the lines of its finding, which a report for people quotes below it.
std::string WithLines(std::string advice, const ExerciseResult& result) {
  if (!result.advice || !result.advice->finding) return advice;
  const Finding& finding = *result.advice->finding;
  const int line = finding.where.line, other = finding.other ? finding.other->line : 0;
  if (line == 0) return advice;
  const Message said(std::move(advice));
  return PrintableWords(other > 0 && other != line
                            ? say::advice_and_lines(said, say::Line(line), say::Line(other))
                            : say::advice_and_line(said, say::Line(line)));
}

/// A title, which has no full stop, or a sentence, and behind it what to do.
std::string InTwoSentences(const std::string& first, const std::string& step) {
  return first + (first.ends_with('.') ? " " : ". ") + step;
}

/// The verdict and what to do first. An editor goes to the place that it names.
std::optional<EditorMessage> LastMessage(const ExerciseResult& result,
                                         const std::vector<EditorMessage>& messages) {
  std::string advice = NameComesFirst(result)
                           ? InTwoSentences(FirstWordsOf(result.misconceptions.front()),
                                            PrintableWords(StepOf(result.misconceptions.front())))
                           : PrintableWords(result.next_step);
  if (!advice.empty()) advice = WithLines(std::move(advice), result);
  const EditorMessage* said = MessageOfReason(result, messages);
  if (said != nullptr && advice.empty()) return std::nullopt;
  if (const TestResult* failed = FirstFailure(result))
    advice = "\"" + TitleOf(*failed) + "\": " + InTwoSentences(PrintableWords(failed->reason), advice);
  // A reason of ours, in place of the compiler's words, has its line with it.
  const bool has_line = said == nullptr && result.tests.empty() && say::in_line.Made(result.reason);
  if (has_line) {
    advice = PrintableWords(result.reason) + " " + advice;
  } else if (!result.reason.empty() && advice.empty()) {
    advice = PrintableWords(result.reason);
  }
  const std::string text = VerdictWords(result) + ": " + advice;
  const std::string rule(VerdictName(result.verdict));
  if (said != nullptr) return Entry(rule, said->file, said->line, said->column, Severity::kError, text);
  const int line = has_line ? static_cast<int>(result.reason.arguments().front().number) : 1;
  return Entry(rule, result.file, line, 1, Severity::kError, text);
}

}  // namespace

std::vector<EditorMessage> EditorMessages(const ExerciseResult& result) {
  const SourceQuotes quotes = SourceQuotes::OfSubmission(result.file, result.source);
  std::vector<EditorMessage> messages;
  for (const Diagnostic& each : result.diagnostics) {
    const SourceLine where = quotes.Known(each.where);
    messages.push_back(Entry("compiler", where.file, where.line, each.column, each.severity,
                             Printable(English(each.message))));
  }
  for (const FindingGroup& group : GroupFindings(result.tests)) {
    for (const MergedFinding& merged : group.findings) {
      const SourceLine where = quotes.Known(merged.finding.where);
      const bool known = where.line > 0 && !where.file.empty();
      messages.push_back(Entry(std::string(FindingKindName(merged.finding.kind)),
                               known ? where.file : result.file, where.line, 1, merged.finding.severity,
                               FindingMessage(merged, quotes)));
    }
  }
  if (result.verdict == Verdict::kPassed) return messages;
  if (auto last = LastMessage(result, messages)) messages.push_back(std::move(*last));
  return messages;
}

std::string GccReport(const ExerciseResult& result) {
  std::string out;
  for (const EditorMessage& each : EditorMessages(result)) {
    out += each.file + ":" + std::to_string(each.line) + ":" + std::to_string(each.column) + ": " +
           (each.severity == Severity::kError ? "error" : "warning") + ": " + each.text + "\n";
  }
  return out;
}

}  // namespace warplings
