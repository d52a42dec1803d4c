// SPDX-License-Identifier: Apache-2.0
#include "grader/report/class_text.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "grader/advice/finding_groups.h"
#include "grader/base/catalogue.h"
#include "grader/base/text.h"
#include "grader/messages/build.h"
#include "grader/messages/joining.h"
#include "grader/report/finding_text.h"
#include "grader/report/first_failure.h"
#include "grader/report/result_words.h"
#include "grader/report/source_quotes.h"

namespace warplings {
namespace {

using nlohmann::json;

/// A program or UTF-16, which somebody has given a source's name, would fill a hundred pages with escapes.
bool IsText(std::string_view source) {
  return source.find('\0') == std::string_view::npos;
}

/// Of a file that was refused for its size: a megabyte would make a page of hours, and shows nothing.
std::string_view Beginning(std::string_view source) {
  constexpr std::size_t kLines = 1000, kBytes = 100'000;
  std::size_t end = 0;
  for (std::size_t line = 0; line < kLines && end != source.npos; ++line) end = source.find('\n', end + 1);
  end = std::min({end, source.size(), kBytes});
  const auto is_inside_letter = [&] { return (static_cast<unsigned char>(source[end]) & 0xC0) == 0x80; };
  while (end > 0 && end < source.size() && is_inside_letter()) --end;
  return source.substr(0, end);
}

constexpr std::string_view NameOf(Severity severity) {
  return severity == Severity::kError ? "error" : "warning";
}

/// A remark in the margin. `place` says where it belongs if that is not a line of the source that is shown:
/// then `line` is 0.
json Note(const SourceQuotes& quotes, const SourceLine& where, Severity severity, std::string heading) {
  const bool is_shown = where.line > 0 && !quotes.Line(where).empty();
  return {{"line", is_shown ? where.line : 0},
          {"place", is_shown ? "" : PrintableWords(quotes.Place(where))},
          {"severity", NameOf(severity)},
          {"heading", std::move(heading)},
          {"details", json::array()}};
}

json DiagnosticNotes(const ExerciseResult& result, const SourceQuotes& quotes) {
  json notes = json::array();
  for (const Diagnostic& each : result.diagnostics) {
    notes.push_back(Note(quotes, each.where, each.severity,
                         Translated(NameOf(each.severity)) + ": " + PrintableWords(each.message)));
  }
  return notes;
}

/// The lines of the names in a reason that are in other lines than the first.
void AddLinesOfNames(const Message& reason, std::set<int>& lines) {
  if (say::name_in_line.Made(reason)) lines.insert(static_cast<int>(reason.arguments()[1].number));
  for (const Argument& each : reason.arguments()) {
    for (const Message& inner : each.inner) AddLinesOfNames(inner, lines);
  }
}

/// A reason of ours names its lines, too: of a forbidden call, for example, the compiler says nothing.
json ReasonNotes(const ExerciseResult& result, const SourceQuotes& quotes, const json& of_compiler) {
  json notes = json::array();
  if (!result.tests.empty() || !say::in_line.Made(result.reason)) return notes;
  const std::vector<Argument>& arguments = result.reason.arguments();
  std::set<int> lines = {static_cast<int>(arguments.at(0).number)};
  AddLinesOfNames(result.reason, lines);
  const std::string heading =
      Translated(NameOf(Severity::kError)) + ": " + PrintableWords(arguments.at(1).inner.at(0));
  for (const int line : lines) {
    const bool has_error = std::ranges::any_of(of_compiler, [&](const json& note) {
      return note["line"] == line && note["severity"] == NameOf(Severity::kError);
    });
    if (!has_error) notes.push_back(Note(quotes, {result.file, line}, Severity::kError, heading));
  }
  return notes;
}

json FindingNotes(const ExerciseResult& result, const SourceQuotes& quotes) {
  json notes = json::array();
  for (const FindingGroup& group : GroupFindings(result.tests)) {
    for (const MergedFinding& merged : group.findings) {
      json note = Note(quotes, merged.finding.where, merged.finding.severity,
                       PrintableWords(FindingHeading(merged.finding, merged.tests)));
      for (const Message& detail : FindingDetails(merged.finding, quotes))
        note["details"].push_back(PrintableWords(detail));
      notes.push_back(std::move(note));
    }
  }
  return notes;
}

/// How a test ended, as one of three: a page shows each in its own colour.
std::string_view EndOf(const TestResult& test) {
  if (test.verdict == Verdict::kPassed) return "passed";
  return test.verdict == Verdict::kNotRun ? "skipped" : "failed";
}

json OutcomeOf(const TestResult& test) {
  json wrong = json::array();
  for (const WrongElement& each : test.wrong) {
    wrong.push_back({PrintableWords(each.where), PrintableWords(each.expected), PrintableWords(each.actual),
                     PrintableWords(each.note)});
  }
  return {{"name", test.name},
          {"title", TitleOf(test)},
          {"end", EndOf(test)},
          {"reason", PrintableWords(test.reason)},
          {"wrong", std::move(wrong)},
          {"wrong_count", test.wrong_count},
          {"element_count", test.element_count}};
}

}  // namespace

json ClassTextData(const GradedText& text) {
  const ExerciseResult& result = text.result;
  const SourceQuotes quotes = SourceQuotes::OfSubmission(result.file, result.source);
  json notes = DiagnosticNotes(result, quotes), tests = json::array(), misconceptions = json::array();
  for (json& note : ReasonNotes(result, quotes, notes)) notes.push_back(std::move(note));
  for (json& note : FindingNotes(result, quotes)) notes.push_back(std::move(note));
  for (const TestResult& test : result.tests) tests.push_back(OutcomeOf(test));
  for (const Misconception& each : result.misconceptions) {
    misconceptions.push_back({{"id", each.id},
                              {"title", Translated(Printable(each.title))},
                              {"message", PrintableWords(JoinedMessage(each))},
                              {"evidence", PrintableWords(each.evidence)}});
  }
  const bool is_cut = say::file_too_large.Made(result.reason);
  const std::string_view shown = is_cut ? Beginning(result.source) : result.source;
  return {{"source", IsText(shown) ? Printable(shown) : ""},
          {"is_cut", is_cut},
          {"report", text.report},
          {"reason", PrintableWords(result.reason)},
          {"next_step", PrintableWords(result.next_step)},
          {"misconceptions", std::move(misconceptions)},
          {"notes", std::move(notes)},
          {"tests", std::move(tests)}};
}

}  // namespace warplings
