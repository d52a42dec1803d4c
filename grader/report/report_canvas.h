// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "grader/base/fit.h"
#include "grader/core/exercise_result.h"
#include "grader/report/source_quotes.h"
#include "grader/report/terminal_report.h"

namespace warplings {

enum class Colour { kNone = 0, kBold = 1, kRed = 31, kGreen = 32, kYellow = 33, kCyan = 36 };

/// Base of the short and the full report: builds up the text section by section, and has the sections that
/// both use. Each Add... function ends with a newline, and no line is wider than the terminal.
class ReportCanvas {
 public:
  ReportCanvas(const ExerciseResult& result, const TerminalStyle& style)
      : result_(result), style_(style), quotes_(SourceQuotes::OfSubmission(result.file, result.source)) {}

 protected:
  // A Message, data or a fixed text of the report, is shown in the reader's language. A std::string is shown
  // as it is: words that are in that language already, a submission's source and output.

  std::string Paint(Colour colour, const std::string& text) const;
  /// Adds `before`, `painted` in `colour` and `after` on one line. Wraps what is wider than the terminal:
  /// `after` below its own first word, or `painted` where there is no `after`.
  void AddLine(const std::string& before, Colour colour, const std::string& painted,
               const std::string& after = {});
  /// Adds a line of the submission's source or output, cut to the terminal's width.
  void AddVerbatim(const std::string& before, const std::string& text);
  /// Adds the source line that a finding is about; see FittedFindingTitle.
  void AddFindingTitle(const Finding& finding, const SourceQuotes& quotes);
  /// Adds a message, wrapped.
  void AddMessage(const Message& message, std::size_t indent);
  void AddTable(const std::vector<std::vector<std::string>>& rows, std::size_t indent,
                LastColumn last = LastColumn::kWords);
  /// Adds an empty line between sections; only one, even if a section in between was empty.
  void AddGap();
  void AddSection(const Message& title);

  void AddHeading();
  void AddVerdictLine();
  /// Adds a compiler message with its place and source line.
  void AddDiagnostic(const Diagnostic& diagnostic);
  void AddFindings(const Message& title, const std::vector<TestResult>& tests);
  /// Adds, for each of NVIDIA's tools, what it found, that it found nothing, or why it did not run.
  void AddTools();
  void AddMeasuredCounts();

  /// Adds what a test printed, at most `most_lines` lines, and how many tests printed exactly the same. Each
  /// line begins with "printed: ", unless that has been said.
  void AddPrinted(const TestResult& test, std::size_t most_lines, std::size_t indent, bool is_said = false);
  /// True if an earlier test printed the same text, which is shown there.
  bool PrintedWhatAnEarlierOneDid(const TestResult& test) const;

  std::size_t PassedTests() const;
  Message CountsOf() const;
  Message CountsAlone() const;

  const ExerciseResult& result_;
  const TerminalStyle& style_;
  SourceQuotes quotes_;
  std::string out_;
};

/// The report in full; see Detail.
std::string FullReport(const ExerciseResult& result, const TerminalStyle& style);

/// The report that fits a screen; see Detail.
std::string ShortReport(const ExerciseResult& result, const TerminalStyle& style);

}  // namespace warplings
