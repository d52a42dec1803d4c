// SPDX-License-Identifier: Apache-2.0
#include "grader/report/editor_report.h"

#include <algorithm>

#include "grader/base/text.h"
#include "grader/report/finding_groups.h"
#include "grader/report/finding_text.h"
#include "grader/report/first_failure.h"
#include "grader/report/prose.h"
#include "grader/report/source_quotes.h"

namespace warplings {
namespace {

/// Makes a message one line, because an editor takes a second line for another message.
std::string OneLine(std::string text) {
  std::ranges::replace(text, '\n', ' ');
  return text;
}

EditorMessage Message(std::string rule, const std::string& file, int line, int column, Severity severity,
                      const std::string& text) {
  return {std::move(rule), OneLine(Printable(file)), std::max(line, 1), std::max(column, 1), severity,
          OneLine(text)};
}

std::string FindingMessage(const MergedFinding& merged, const SourceQuotes& quotes) {
  std::string message = FindingHeading(merged.finding);
  message = message.substr(message.find(": ") + 2);  // The kind stands in front already.
  if (merged.tests > 1) message += ", in " + Counted(merged.tests, "test");
  for (const std::string& detail : FindingDetails(merged.finding, quotes)) message += "; " + detail;
  return message;
}

}  // namespace

std::vector<EditorMessage> EditorMessages(const ExerciseResult& result) {
  const SourceQuotes quotes = SourceQuotes::OfSubmission(result.file, result.source);
  std::vector<EditorMessage> messages;
  for (const Diagnostic& each : result.diagnostics) {
    messages.push_back(Message("compiler", quotes.DisplayName(each.where.file), each.where.line, each.column,
                               each.severity, Printable(each.message)));
  }
  for (const FindingGroup& group : GroupFindings(result.tests)) {
    for (const MergedFinding& merged : group.findings) {
      const SourceLine& where = merged.finding.where;
      const bool known = where.line > 0 && !where.file.empty();
      messages.push_back(Message(std::string(FindingKindName(merged.finding.kind)),
                                 known ? quotes.DisplayName(where.file) : result.file, where.line, 1,
                                 merged.finding.severity, FindingMessage(merged, quotes)));
    }
  }
  if (result.verdict == Verdict::kPassed) return messages;
  std::string advice = NameComesFirst(result)
                           ? Printable(result.misconceptions.front().title) + ". " +
                                 Printable(JoinLines(result.misconceptions.front().message))
                           : Prose(result.next_step);
  if (const TestResult* failed = FirstFailure(result))
    advice = "\"" + TitleOf(*failed) + "\": " + Prose(failed->reason) + ". " + advice;
  if (!result.reason.empty() && advice.empty()) advice = Prose(result.reason);
  messages.push_back(Message(std::string(VerdictName(result.verdict)), result.file, 1, 1, Severity::kError,
                             VerdictWords(result) + ": " + advice));
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
