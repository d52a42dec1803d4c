// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string>

#include "grader/base/catalogue.h"
#include "grader/base/text.h"
#include "grader/messages/report.h"
#include "grader/report/counts_text.h"
#include "grader/report/first_failure.h"
#include "grader/report/formula_text.h"
#include "grader/report/report_canvas.h"
#include "grader/report/result_words.h"
#include "grader/report/speed_text.h"

namespace warplings {
namespace {

/// Everything that is known: first the tests, at the end what to do first and the verdict, because the end is
/// what stays visible in a terminal.
class Full : public ReportCanvas {
 public:
  using ReportCanvas::ReportCanvas;

  std::string Draw() {
    AddHeading();
    out_ += "\n";
    for (const Diagnostic& diagnostic : result_.diagnostics) AddDiagnostic(diagnostic);
    for (const TestResult& test : result_.tests) AddTest(test);
    AddFindings("What the virtual GPU saw", result_.tests);
    AddTools();
    AddCounts();
    AddMeasuredCounts();
    AddSpeed();
    if (verbose_) AddCompilerOutput();
    AddDoThisFirst();
    AddGap();
    AddVerdictLine();
    if (!result_.tests.empty() && style_.shows_seed) {
      AddMessage(say::repeat_with_seed(std::to_string(result_.seed)), 2);
    }
    return out_;
  }

 private:
  void AddTest(const TestResult& test) {
    if (test.verdict == Verdict::kPassed) {
      AddLine("  ", Colour::kGreen, Translated("pass"), "  " + TitleOf(test));
      AddPrintedBelow(test);
      return;
    }
    const bool skipped = test.verdict == Verdict::kNotRun;
    AddLine("  ", skipped ? Colour::kYellow : Colour::kRed, Translated(skipped ? "skip" : "FAIL"),
            "  " + TitleOf(test));
    if (!test.reason.empty()) AddMessage(test.reason == last_reason_ ? "the same" : test.reason, 8);
    last_reason_ = test.reason;
    if (test.explanation) AddExplanation(*test.explanation);
    AddWrongElements(test);
    AddPrintedBelow(test);
  }

  void AddPrintedBelow(const TestResult& test) {
    constexpr std::size_t kShown = 3;
    if (!PrintedWhatAnEarlierOneDid(test)) AddPrinted(test, verbose_ ? PrintedText::kMostLines : kShown, 8);
  }

  void AddExplanation(const Explanation& explanation) {
    for (const ElementFormula& formula : explanation.elements) {
      out_ += FormulaLines(explanation, formula, 8, style_.columns);
    }
    for (const Message& fact : explanation.facts) AddMessage(fact, 8);
  }

  /// All that are known for the first test with any, the first few for those after it: the pattern is seen
  /// in one, and a page of numbers would push it out of sight.
  void AddWrongElements(const TestResult& test) {
    constexpr std::size_t kShownLater = 2;
    if (test.wrong.empty()) return;
    const bool all = verbose_ || !wrong_elements_shown_;
    const std::size_t shown = all ? test.wrong.size() : std::min(kShownLater, test.wrong.size());
    wrong_elements_shown_ = true;
    std::vector<std::vector<std::string>> rows = {{"", Translated("expected"), Translated("yours"), ""}};
    for (std::size_t i = 0; i < shown; ++i) {
      const WrongElement& wrong = test.wrong[i];
      rows.push_back({PrintableWords(wrong.where), PrintableWords(wrong.expected),
                      PrintableWords(wrong.actual), PrintableWords(wrong.note)});
    }
    AddTable(rows, 8);
    if (test.wrong_count > shown) {
      AddMessage(say::more_wrong_elements(test.wrong_count - shown, test.element_count), 8);
    }
  }

  void AddCounts() {
    const TestResult* test = TestToCount(result_.tests);
    if (test == nullptr && result_.resources.empty()) return;
    AddSection(test == nullptr ? "Kernels" : say::kernels_counted_in(NamedTitleOf(*test)));
    for (const Message& line : KernelLines(result_.resources, test)) AddMessage(line, 2);
    if (verbose_ && test != nullptr) {
      const auto rows = LineCountRows(*test, quotes_);
      if (rows.size() > 1) AddTable(rows, 2, LastColumn::kCode);
    }
  }

  void AddSpeed() {
    if (!result_.speed) return;
    AddSection("Speed");
    const SpeedText text = DescribeSpeed(*result_.speed);
    if (!text.table.empty()) AddTable(text.table, 2);
    for (const Message& line : text.lines) AddMessage(line, 2);
  }

  void AddCompilerOutput() {
    if (result_.compiler_output.empty()) return;
    AddSection("The compiler's output");
    out_ += Printable(result_.compiler_output) + "\n";
  }

  void AddDoThisFirst() {
    if (result_.verdict == Verdict::kPassed) return;
    if (result_.misconceptions.empty() && result_.next_step.empty()) return;
    AddSection("Do this first");
    if (!result_.next_step.empty()) AddMessage(result_.next_step, 2);
    const std::size_t first = NameComesFirst(result_) ? 0 : 1;
    for (std::size_t i = 0; i < result_.misconceptions.size(); ++i) {
      if (i + first == 1) AddSection("After that");
      AddMisconception(result_.misconceptions[i]);
    }
  }

  void AddMisconception(const Misconception& misconception) {
    AddLine("  ", Colour::kYellow, FirstWordsOf(misconception));
    AddMessage(StepOf(misconception), 4);
    if (!misconception.evidence.empty()) AddMessage(SeenIn(misconception, result_), 4);
  }

  const bool verbose_ = style_.detail == Detail::kVerbose;
  Message last_reason_;
  bool wrong_elements_shown_ = false;
};

}  // namespace

std::string FullReport(const ExerciseResult& result, const TerminalStyle& style) {
  return Full(result, style).Draw();
}

}  // namespace warplings
