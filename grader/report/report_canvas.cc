// SPDX-License-Identifier: Apache-2.0
#include "grader/report/report_canvas.h"

#include <algorithm>
#include <sstream>

#include "grader/advice/finding_groups.h"
#include "grader/base/catalogue.h"
#include "grader/base/fit.h"
#include "grader/base/text.h"
#include "grader/messages/report.h"
#include "grader/report/finding_text.h"
#include "grader/report/first_failure.h"
#include "grader/report/result_words.h"

namespace warplings {

std::string ReportCanvas::Paint(Colour colour, const std::string& text) const {
  if (!style_.colour || colour == Colour::kNone) return text;
  return "\x1b[" + std::to_string(static_cast<int>(colour)) + "m" + text + "\x1b[0m";
}

void ReportCanvas::AddLine(const std::string& before, Colour colour, const std::string& painted,
                           const std::string& after) {
  const std::size_t label = DisplayWidth(before + painted);
  if (label + DisplayWidth(after) <= style_.columns) {
    out_ += before + Paint(colour, painted) + after + "\n";
    return;
  }
  // Wrapped below a label, unless the label is so wide that hardly a word would fit beside it.
  constexpr std::size_t kFewWords = 30;
  const std::size_t spaces = std::min(after.find_first_not_of(' '), after.size());
  std::size_t indent = label + spaces;
  if (after.empty() || indent + kFewWords > style_.columns) {
    for (const std::string& line : WrappedLines(painted, style_.columns, DisplayWidth(before))) {
      out_ += before + Paint(colour, line.substr(before.size())) + "\n";
    }
    if (after.empty()) return;
    indent = DisplayWidth(before) + 2;
  } else {
    out_ += before + Paint(colour, painted) + after.substr(0, spaces);
  }
  const bool is_beside = out_.back() != '\n';
  const std::vector<std::string> lines = WrappedLines(after.substr(spaces), style_.columns, indent);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    out_ += (i == 0 && is_beside ? lines[i].substr(indent) : lines[i]) + "\n";
  }
}

void ReportCanvas::AddVerbatim(const std::string& before, const std::string& text) {
  out_ += CutTo(before + text, style_.columns) + "\n";
}

void ReportCanvas::AddFindingTitle(const Finding& finding, const SourceQuotes& quotes) {
  constexpr std::string_view kBefore = "  ";
  const std::string title = FittedFindingTitle(finding, quotes, style_.columns - kBefore.size());
  out_ += std::string(kBefore) + Paint(Colour::kCyan, title) + "\n";
}

void ReportCanvas::AddMessage(const Message& message, std::size_t indent) {
  for (const std::string& line : WrappedLines(PrintableWords(message), style_.columns, indent))
    out_ += line + "\n";
}

void ReportCanvas::AddTable(const std::vector<std::vector<std::string>>& rows, std::size_t indent,
                            LastColumn last) {
  out_ += AlignWithin(rows, indent, style_.columns, last);
}

void ReportCanvas::AddGap() {
  if (!out_.ends_with("\n\n")) out_ += "\n";
}

void ReportCanvas::AddSection(const Message& title) {
  AddGap();
  for (const std::string& line : WrappedLines(PrintableWords(title), style_.columns, 0)) {
    out_ += Paint(Colour::kBold, line) + "\n";
  }
}

void ReportCanvas::AddHeading() {
  AddLine("", Colour::kBold, Printable(result_.exercise), Translated(": ") + PrintableWords(result_.title));
  const std::string file = CutPathTo(Printable(result_.file), style_.columns - 2);
  AddMessage(result_.device.empty() ? say::source_place(file) : say::file_on_device(file, result_.device), 2);
}

void ReportCanvas::AddVerdictLine() {
  const bool passed = result_.verdict == Verdict::kPassed;
  const std::string counts = PrintableWords(CountsOf());
  if (const std::string luck = WordsOfLuck(result_); !luck.empty()) {
    AddLine("", Colour::kYellow, Translated("PASSED"), luck);
    AddMessage(CountsAlone(), 2);
    return;
  }
  if (passed) {
    AddLine("", Colour::kGreen, Translated("PASSED"), counts);
    return;
  }
  const Message reason = VerdictOfAdvice(result_);
  const std::string verdict = Translated("NOT PASSED"), words = PrintableWords(say::verdict_in_words(reason));
  const bool fits = DisplayWidth(verdict + words + counts) <= style_.columns;
  AddLine("", Colour::kRed, verdict, (fits ? words : "") + counts);
  if (!fits) AddMessage(reason, 2);
  // A message of the compiler stands below, with its line.
  const bool is_below = std::ranges::any_of(result_.diagnostics, [&](const Diagnostic& each) {
    return each.severity == Severity::kError && !each.message.empty() &&
           Contains(result_.reason, each.message);
  });
  if (!result_.reason.empty() && !is_below) AddMessage(result_.reason, 2);
}

/// How many tests passed, and the points; empty where there are no tests.
Message ReportCanvas::CountsOf() const {
  if (result_.tests.empty()) return {};
  const say::Count tests(result_.tests.size(), "test");
  if (result_.max_points <= 0 || !style_.shows_points) return say::tests_passed(PassedTests(), tests);
  return say::tests_passed_and_points(PassedTests(), tests, PointsText(result_.points),
                                      PointsText(result_.max_points));
}

/// The same in a line of its own.
Message ReportCanvas::CountsAlone() const {
  if (result_.tests.empty()) return {};
  const say::Count tests(result_.tests.size(), "test");
  if (result_.max_points <= 0 || !style_.shows_points) return say::tests_that_passed(PassedTests(), tests);
  return say::tests_that_passed_and_points(PassedTests(), tests, PointsText(result_.points),
                                           PointsText(result_.max_points));
}

void ReportCanvas::AddDiagnostic(const Diagnostic& diagnostic) {
  std::string place = PrintableWords(quotes_.Place(diagnostic.where));
  if (diagnostic.where.line > 0 && diagnostic.column > 0) place += ":" + std::to_string(diagnostic.column);
  constexpr std::size_t kKind = 10;  // ": warning:" stays on the line of the place.
  place = CutPathTo(place, style_.columns - kKind);
  const bool error = diagnostic.severity == Severity::kError;
  const std::string kind = Translated(error ? "error" : "warning"), colon = Translated(": ");
  std::vector<std::string> lines =
      WrappedLines(place + ": " + kind + colon + Printable(Words(diagnostic.message)), style_.columns, 2);
  if (const std::size_t at = lines.empty() ? std::string::npos : lines[0].find(kind + colon);
      at != std::string::npos) {
    lines[0].replace(at, kind.size(), Paint(error ? Colour::kRed : Colour::kYellow, kind));
  }
  for (const std::string& line : lines) out_ += line + "\n";
  const std::string quoted = quotes_.Line(diagnostic.where);
  if (!quoted.empty()) AddVerbatim("      ", quoted);
}

void ReportCanvas::AddFindings(const Message& title, const std::vector<TestResult>& tests) {
  const std::vector<FindingGroup> groups = GroupFindings(tests);
  if (groups.empty()) return;
  AddSection(title);
  for (const FindingGroup& group : groups) {
    AddFindingTitle(group.findings.front().finding, quotes_);
    for (const MergedFinding& merged : group.findings) {
      const bool error = merged.finding.severity == Severity::kError;
      AddLine("    ", error ? Colour::kRed : Colour::kYellow,
              PrintableWords(FindingHeading(merged.finding, merged.tests)));
      for (const Message& detail : FindingDetails(merged.finding, quotes_)) AddMessage(detail, 6);
    }
  }
}

void ReportCanvas::AddPrinted(const TestResult& test, std::size_t most_lines, std::size_t indent,
                              bool is_said) {
  if (!test.printed) return;
  const PrintedText& printed = *test.printed;
  std::istringstream stream(Printable(printed.text));
  std::size_t lines = 0;
  const std::string before = std::string(indent, ' ') + (is_said ? "" : Translated("printed: "));
  for (std::string line; std::getline(stream, line); ++lines) {
    if (lines < most_lines) AddVerbatim(before, line);
  }
  const std::size_t hidden = lines - std::min(lines, most_lines) + printed.more_lines;
  if (hidden > 0) {
    AddMessage(say::more_printed(say::Count(hidden, "more line")), indent);
  } else if (printed.more_bytes > 0) {
    AddMessage(say::more_printed(say::Count(printed.more_bytes, "more byte")), indent);
  }
  const auto same = std::ranges::count_if(result_.tests, [&](const TestResult& other) {
    return &other != &test && other.printed && other.printed->text == printed.text;
  });
  if (same > 0) AddMessage(say::same_printed_in(say::Count(same, "more test")), indent);
}

bool ReportCanvas::PrintedWhatAnEarlierOneDid(const TestResult& test) const {
  if (!test.printed) return false;
  const auto first = std::ranges::find_if(result_.tests, [&](const TestResult& other) {
    return other.printed && other.printed->text == test.printed->text;
  });
  return first != result_.tests.end() && &*first != &test;
}

void ReportCanvas::AddTools() {
  std::string silent;
  for (const ToolReport& report : result_.tools) {
    if (!report.findings.empty()) {
      TestResult carrier;
      carrier.findings = report.findings;
      AddFindings(say::tool_saw(report.tool), {carrier});
    }
    if (!report.problem.empty()) {
      AddSection(say::tool_did_not_end(report.tool));
      AddMessage(report.problem, 2);
    }
    if (report.findings.empty() && report.problem.empty()) {
      silent += (silent.empty() ? "" : ", ") + report.tool;
    }
  }
  if (silent.empty()) return;
  AddGap();
  AddMessage(say::nothing_found_by(silent), 0);
}

void ReportCanvas::AddMeasuredCounts() {
  if (result_.measured_counts.empty()) return;
  AddSection("Counts beside those that ncu measured, over all calls");
  std::vector<std::vector<std::string>> rows = {
      {Translated("kernel"), Translated("count"), Translated("virtual GPU"), "ncu"}};
  for (const MeasuredCount& each : result_.measured_counts) {
    std::string name = each.count;
    std::replace(name.begin(), name.end(), '_', ' ');
    rows.push_back({Printable(each.kernel), name, WithThousands(each.ours), WithThousands(each.measured)});
  }
  AddTable(rows, 2);
  AddMessage(
      "ptxas may merge neighbouring loads from shared memory into wider ones; then ncu sees fewer wavefronts "
      "than PTX spells, and as many conflicts.",
      2);
}

std::size_t ReportCanvas::PassedTests() const {
  return static_cast<std::size_t>(std::ranges::count(result_.tests, Verdict::kPassed, &TestResult::verdict));
}

}  // namespace warplings
