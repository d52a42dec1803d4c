// SPDX-License-Identifier: Apache-2.0
#include "grader/report/terminal_report.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <sstream>

#include "grader/base/text.h"
#include "grader/report/counts_text.h"
#include "grader/report/finding_groups.h"
#include "grader/report/finding_text.h"
#include "grader/report/speed_text.h"

namespace warplings {
namespace {

enum class Colour { kNone = 0, kBold = 1, kRed = 31, kGreen = 32, kYellow = 33, kCyan = 36 };

/// Builds the report section by section; each Add… is one of them and ends with a newline.
class Report {
 public:
  Report(const ExerciseResult& result, const TerminalStyle& style)
      : result_(result), style_(style), quotes_(SourceQuotes::OfSubmission(result.file, result.source)) {}

  std::string Draw() {
    AddHeading();
    AddDiagnostics();
    for (const TestResult& test : result_.tests) AddTest(test);
    AddFindings("What the virtual GPU saw", result_.tests);
    AddTools();
    AddCounts();
    AddMeasuredCounts();
    AddSpeed();
    if (style_.verbose) AddCompilerOutput();
    AddStudentOutput();
    AddDoThisFirst();
    AddVerdict();
    return out_;
  }

 private:
  std::string Paint(Colour colour, const std::string& text) const {
    if (!style_.colour || colour == Colour::kNone) return text;
    return "\x1b[" + std::to_string(static_cast<int>(colour)) + "m" + text + "\x1b[0m";
  }

  void AddText(const std::string& text, std::size_t indent) {
    out_ += Wrap(Printable(text), style_.columns, indent);
  }

  /// One empty line between sections, also where a section in between had nothing to show.
  void AddGap() {
    if (!out_.ends_with("\n\n")) out_ += "\n";
  }

  void AddSection(const std::string& title) {
    AddGap();
    out_ += Paint(Colour::kBold, title) + "\n";
  }

  void AddHeading() {
    out_ += Paint(Colour::kBold, Printable(result_.exercise)) + ": " + Printable(result_.title) + "\n";
    AddText(result_.file + (result_.device.empty() ? "" : ", on " + result_.device), 2);
    out_ += "\n";
  }

  void AddDiagnostics() {
    for (const Diagnostic& diagnostic : result_.diagnostics) {
      std::string place = quotes_.Place(diagnostic.where);
      if (diagnostic.where.line > 0 && diagnostic.column > 0)
        place += ":" + std::to_string(diagnostic.column);
      const bool error = diagnostic.severity == Severity::kError;
      out_ += "  " + place + ": " +
              (error ? Paint(Colour::kRed, "error") : Paint(Colour::kYellow, "warning")) + ": " +
              Printable(diagnostic.message) + "\n";
      const std::string line = quotes_.Line(diagnostic.where);
      if (!line.empty()) out_ += "      " + line + "\n";
    }
  }

  void AddTest(const TestResult& test) {
    const std::string title = Printable(test.title.empty() ? test.name : test.title);
    if (test.verdict == Verdict::kPassed) {
      out_ += "  " + Paint(Colour::kGreen, "pass") + "  " + title + "\n";
      return;
    }
    const bool skipped = test.verdict == Verdict::kNotRun;
    out_ +=
        "  " + (skipped ? Paint(Colour::kYellow, "skip") : Paint(Colour::kRed, "FAIL")) + "  " + title + "\n";
    if (!test.reason.empty()) AddText(test.reason, 8);
    AddWrongElements(test);
  }

  /// All that are known for the first test with any, the first few for those after it: the pattern is seen
  /// in one, and a page of numbers would push it out of sight.
  void AddWrongElements(const TestResult& test) {
    constexpr std::size_t kShownLater = 2;
    if (test.wrong.empty()) return;
    const bool all = style_.verbose || !wrong_elements_shown_;
    const std::size_t shown = all ? test.wrong.size() : std::min(kShownLater, test.wrong.size());
    wrong_elements_shown_ = true;
    std::vector<std::vector<std::string>> rows = {{"", "expected", "yours", ""}};
    for (std::size_t i = 0; i < shown; ++i) {
      const WrongElement& wrong = test.wrong[i];
      rows.push_back({Printable(wrong.where), Printable(wrong.expected), Printable(wrong.actual),
                      Printable(wrong.note)});
    }
    out_ += AlignColumns(rows, 8);
    if (test.wrong_count > shown) {
      out_ += "        and " + WithThousands(test.wrong_count - shown) + " more, of " +
              WithThousands(test.element_count) + " compared\n";
    }
  }

  void AddFindings(const std::string& title, const std::vector<TestResult>& tests) {
    const std::vector<FindingGroup> groups = GroupFindings(tests);
    if (groups.empty()) return;
    AddSection(title);
    for (const FindingGroup& group : groups) {
      out_ += "  " + Paint(Colour::kCyan, FindingTitle(group.findings.front().finding, quotes_)) + "\n";
      for (const MergedFinding& merged : group.findings) AddFinding(merged);
    }
  }

  void AddFinding(const MergedFinding& merged) {
    const bool error = merged.finding.severity == Severity::kError;
    std::string heading = FindingHeading(merged.finding);
    if (merged.tests > 1) heading += ", in " + Counted(merged.tests, "test");
    out_ += "    " + Paint(error ? Colour::kRed : Colour::kYellow, heading) + "\n";
    for (const std::string& detail : FindingDetails(merged.finding, quotes_)) {
      out_ += Wrap(detail, style_.columns, 6);
    }
  }

  /// Each of NVIDIA's tools that ran: what it found, that it found nothing, or why it did not run.
  void AddTools() {
    std::string silent;
    for (const ToolReport& report : result_.tools) {
      if (!report.findings.empty()) {
        TestResult carrier;
        carrier.findings = report.findings;
        AddFindings("What " + Printable(report.tool) + " saw on the card", {carrier});
      }
      if (!report.problem.empty()) {
        AddSection(Printable(report.tool) + " did not run to its end");
        AddText(report.problem, 2);
      }
      if (report.findings.empty() && report.problem.empty()) {
        silent += (silent.empty() ? "" : ", ") + report.tool;
      }
    }
    if (silent.empty()) return;
    AddGap();
    AddText("Nothing found by " + silent + ".", 0);
  }

  void AddMeasuredCounts() {
    if (result_.measured_counts.empty()) return;
    AddSection("Counts beside those that ncu measured, over all calls");
    std::vector<std::vector<std::string>> rows = {{"kernel", "count", "virtual GPU", "ncu"}};
    for (const MeasuredCount& each : result_.measured_counts) {
      std::string name = each.count;
      std::replace(name.begin(), name.end(), '_', ' ');
      rows.push_back({Printable(each.kernel), name, WithThousands(each.ours), WithThousands(each.measured)});
    }
    out_ += AlignColumns(rows, 2);
    AddText(
        "ptxas may merge neighbouring loads from shared memory into wider ones; then ncu sees fewer "
        "wavefronts "
        "than PTX spells, and as many conflicts.",
        2);
  }

  void AddCounts() {
    const TestResult* test = TestWithMostWork(result_.tests);
    if (test == nullptr && result_.resources.empty()) return;
    AddSection(test == nullptr ? "Kernels"
                               : "Kernels, counted in \"" +
                                     Printable(test->title.empty() ? test->name : test->title) + "\"");
    for (const std::string& line : KernelLines(result_.resources, test)) AddText(line, 2);
    if (style_.verbose && test != nullptr) out_ += LineCountTable(*test, quotes_, 2);
  }

  void AddSpeed() {
    if (!result_.speed) return;
    AddSection("Speed");
    const SpeedText text = DescribeSpeed(*result_.speed);
    if (!text.table.empty()) out_ += AlignColumns(text.table, 2);
    for (const std::string& line : text.lines) AddText(line, 2);
  }

  void AddCompilerOutput() {
    if (result_.compiler_output.empty()) return;
    AddSection("The compiler's output");
    out_ += Printable(result_.compiler_output) + "\n";
  }

  /// The first lines of it, so that prints for debugging are seen and a flood does not bury the report.
  void AddStudentOutput() {
    constexpr int kShownLines = 12;
    if (result_.student_output.empty()) return;
    AddSection("What the submission printed");
    std::istringstream lines(Printable(result_.student_output));
    int count = 0;
    for (std::string line; std::getline(lines, line); ++count) {
      if (style_.verbose || count < kShownLines) out_ += "  " + line + "\n";
    }
    if (!style_.verbose && count > kShownLines) {
      out_ += "  and " + Counted(static_cast<std::uint64_t>(count - kShownLines), "more line") +
              "; --verbose shows them\n";
    }
  }

  void AddDoThisFirst() {
    if (result_.verdict == Verdict::kPassed) return;
    if (result_.misconceptions.empty() && result_.next_step.empty()) return;
    AddSection("Do this first");
    for (const Misconception& misconception : result_.misconceptions) {
      out_ += "  " + Paint(Colour::kYellow, Printable(misconception.title)) + "\n";
      AddText(Unbroken(misconception.message), 4);
      if (!misconception.evidence.empty()) AddText("Seen in: " + misconception.evidence, 4);
    }
    if (!result_.next_step.empty()) AddText(result_.next_step, 2);
  }

  void AddVerdict() {
    const bool passed = result_.verdict == Verdict::kPassed;
    std::string words(VerdictName(result_.verdict));
    std::replace(words.begin(), words.end(), '_', ' ');
    const auto passed_tests =
        std::count_if(result_.tests.begin(), result_.tests.end(),
                      [](const TestResult& test) { return test.verdict == Verdict::kPassed; });
    std::string line = passed ? Paint(Colour::kGreen, "PASSED") : Paint(Colour::kRed, "NOT PASSED");
    if (!passed) line += " (" + words + ")";
    if (!result_.reason.empty()) line += ": " + Printable(result_.reason);
    AddGap();
    out_ += line + "\n";
    if (result_.tests.empty()) return;
    out_ += "  " + std::to_string(passed_tests) + " of " + Counted(result_.tests.size(), "test") +
            " passed, " + Points(result_.points) + " of " + Points(result_.max_points) +
            " points; repeat with the same inputs: --seed " + std::to_string(result_.seed) + "\n";
  }

  static std::string Points(double points) {
    char text[32];
    std::snprintf(text, sizeof text, "%g", points);
    return text;
  }

  const ExerciseResult& result_;
  const TerminalStyle& style_;
  SourceQuotes quotes_;
  bool wrong_elements_shown_ = false;
  std::string out_;
};

}  // namespace

TerminalStyle DetectTerminalStyle(int fd) {
  TerminalStyle style;
  if (::isatty(fd) == 0) return style;
  const char* no_color = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  const bool dumb = terminal != nullptr && std::string_view(terminal) == "dumb";
  style.colour = (no_color == nullptr || *no_color == '\0') && !dumb;
  winsize size{};
  if (::ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
    style.columns = std::clamp<std::size_t>(size.ws_col, 40, 120);
  }
  return style;
}

std::string TerminalReport(const ExerciseResult& result, const TerminalStyle& style) {
  return Report(result, style).Draw();
}

}  // namespace warplings
