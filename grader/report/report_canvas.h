// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "grader/core/exercise_result.h"
#include "grader/report/source_quotes.h"
#include "grader/report/terminal_report.h"

namespace warplings {

enum class Colour { kNone = 0, kBold = 1, kRed = 31, kGreen = 32, kYellow = 33, kCyan = 36 };

/// What the short and the full report share: text that grows section by section, and the sections that both
/// have. Each Add... ends with a newline, and no line is wider than the terminal.
class ReportCanvas {
 public:
  ReportCanvas(const ExerciseResult& result, const TerminalStyle& style)
      : result_(result), style_(style), quotes_(SourceQuotes::OfSubmission(result.file, result.source)) {}

 protected:
  std::string Paint(Colour colour, const std::string& text) const;
  // What these are given in English they show in the program's language (grader/base/catalogue.h).

  /// One line: `before`, `painted` in its colour, `after`; cut to the width.
  void AddLine(const std::string& before, Colour colour, const std::string& painted,
               const std::string& after = {});
  /// AddLine for what is a submission's and no text of ours: its source, what it printed.
  void AddVerbatim(const std::string& before, Colour colour, const std::string& painted,
                   const std::string& after = {});
  void AddText(const std::string& text, std::size_t indent);
  /// The first row is the table's head; the cells below it are shown as they are.
  void AddTable(const std::vector<std::vector<std::string>>& rows, std::size_t indent);
  /// One empty line between sections, also where a section in between had nothing to show.
  void AddGap();
  void AddSection(const std::string& title);

  void AddHeading();
  void AddVerdictLine();
  /// A message of the compiler, its place and the source line.
  void AddDiagnostic(const Diagnostic& diagnostic);
  void AddFindings(const std::string& title, const std::vector<TestResult>& tests);
  /// Each of NVIDIA's tools that ran: what it found, that it found nothing, or why it did not run.
  void AddTools();
  void AddMeasuredCounts();

  /// What a test printed, at most so many lines of it, and how many tests printed the very same.
  void AddPrinted(const TestResult& test, std::size_t most_lines, std::size_t indent);
  /// True for a test whose text an earlier one has printed, too: it is shown there.
  bool PrintedWhatAnEarlierOneDid(const TestResult& test) const;

  std::size_t PassedTests() const;

  const ExerciseResult& result_;
  const TerminalStyle& style_;
  SourceQuotes quotes_;
  std::string out_;
};

/// The report in full; see Detail.
std::string FullReport(const ExerciseResult& result, const TerminalStyle& style);

/// The report that fits a screen; see Detail.
std::string ScreenReport(const ExerciseResult& result, const TerminalStyle& style);

}  // namespace warplings
