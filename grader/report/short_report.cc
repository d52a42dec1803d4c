// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "grader/advice/finding_groups.h"
#include "grader/advice/test_titles.h"
#include "grader/base/catalogue.h"
#include "grader/base/fit.h"
#include "grader/base/text.h"
#include "grader/messages/findings.h"
#include "grader/messages/joining.h"
#include "grader/messages/judging.h"
#include "grader/messages/product_facts.h"
#include "grader/messages/report.h"
#include "grader/report/counts_text.h"
#include "grader/report/finding_text.h"
#include "grader/report/first_failure.h"
#include "grader/report/formula_text.h"
#include "grader/report/report_canvas.h"
#include "grader/report/result_words.h"
#include "grader/report/speed_text.h"

namespace warplings {
namespace {

/// Leaves two lines for what is printed below a report: how many exercises were not checked, and that there
/// is a hint.
constexpr std::size_t kLines = kScreenLines - 2;

/// The compiler's own headers, and the toolkit's where pip installed it.
bool IsInSystemHeader(const Diagnostic& diagnostic) {
  const std::string& file = diagnostic.where.file;
  return file.starts_with("/usr/") || file.find("/site-packages/nvidia/") != file.npos;
}

/// What a student needs for the next edit, from the verdict at the top to how to see the rest. What has to be
/// said takes its lines first; wrong elements and further tests share what is left.
class Short : public ReportCanvas {
 public:
  Short(const ExerciseResult& result, const TerminalStyle& style)
      : ReportCanvas(result, style),
        short_quotes_(
            SourceQuotes::OfSubmission(std::filesystem::path(result.file).filename(), result.source)) {}

  std::string Draw() {
    AddTitle();
    AddGap();
    AddVerdictLine();
    AddDiagnostics();
    AddDoThisFirst();
    AddWarning();
    AddTests();
    if (ValuesAreRight(result_)) AddFigures();
    AddTools();
    AddMeasuredCounts();
    AddWhereTheRestIs();
    return out_;
  }

 private:
  std::size_t LinesUsed() const { return static_cast<std::size_t>(std::ranges::count(out_, '\n')); }
  std::size_t LinesLeft(std::size_t kept) const { return kLines - std::min(kLines, LinesUsed() + kept); }

  /// Where file and device need more than a line, the end of the file's path says most.
  void AddTitle() {
    AddLine("", Colour::kBold, Printable(result_.exercise), Translated(": ") + PrintableWords(result_.title));
    const std::string device = result_.device.empty() ? "" : PrintableWords(say::on_device(result_.device));
    const std::string file = Printable(result_.file);
    const std::size_t room = style_.columns - 2;
    if (DisplayWidth(file + device) <= room) {
      out_ += "  " + file + device + "\n";
    } else {
      out_ += "  " + CutPathTo(file, room) + "\n";
    }
  }

  /// The error that is the reason, or the first one, or the first warning where it compiled: others often
  /// follow from it. Warnings inside the toolkit's and the compiler's own headers are none of the student's
  /// making.
  void AddDiagnostics() {
    auto shown = std::ranges::find_if(result_.diagnostics, [&](const Diagnostic& each) {
      return each.severity == Severity::kError && !each.message.empty() &&
             Contains(result_.reason, each.message);
    });
    if (shown == result_.diagnostics.end())
      shown = std::ranges::find(result_.diagnostics, Severity::kError, &Diagnostic::severity);
    if (shown == result_.diagnostics.end()) {
      shown = std::ranges::find_if_not(result_.diagnostics, IsInSystemHeader);
    }
    if (shown == result_.diagnostics.end()) return;
    Diagnostic first = *shown;
    constexpr std::size_t kLongestMessage = 400;  // Templates make them as long as one likes.
    first.message = CutTo(PrintableWords(first.message), kLongestMessage);
    AddGap();
    AddDiagnostic(first);
    if (const std::size_t more = result_.diagnostics.size() - 1; more > 0) {
      AddMessage(say::more_of_compiler(say::Count(more, "more message")), 2);
    }
  }

  void AddDoThisFirst() {
    if (result_.verdict == Verdict::kPassed) return;
    std::vector<FindingGroup> groups;
    if (result_.advice && result_.advice->finding && !ShowsLaterName())
      groups = GroupsOf(*result_.advice->finding, result_.tests);
    if (NameComesFirst(result_)) {
      const Misconception& first = result_.misconceptions.front();
      AddGap();
      AddLine("", Colour::kBold, Translated("Do this first: "), FirstWordsOf(first));
      AddMessage(StepOf(first), 2);
      if (groups.empty() && !first.fact_first) AddMessage(SeenInBriefly(first, result_), 2);
    } else if (!result_.next_step.empty()) {
      AddSection("Do this first");
      AddMessage(result_.next_step, 2);
    } else if (!groups.empty()) {
      AddSection("What the virtual GPU saw");
    }
    if (!groups.empty()) {
      // The thread and the element that the advice speaks of, not those of the first test that has it.
      MergedFinding shown = groups.front().findings.front();
      const std::uint64_t count = shown.finding.count;
      shown.finding = *result_.advice->finding;
      shown.finding.count = count;
      AddFinding(shown);
    }
    // One thing first; what else was recognised is named, so that nobody takes it for all.
    constexpr std::size_t kNamed = 3;
    const std::vector<Message> later = LaterCauses(result_);
    if (!later.empty()) AddGap();
    for (std::size_t i = 0; i < std::min(kNamed, later.size()); ++i) AddMessage(later[i], 2);
  }

  /// Whether the finding is that of a mistake that is named after the first advice, which has none.
  bool ShowsLaterName() const {
    if (!NameComesFirst(result_) || result_.misconceptions.front().finding) return false;
    return std::ranges::any_of(result_.misconceptions, [&](const Misconception& each) {
      return each.finding && each.finding->kind == result_.advice->finding->kind &&
             each.finding->where == result_.advice->finding->where;
    });
  }

  /// A barrier that some threads have left out does not fail an exercise. Whoever passes should hear of it.
  void AddWarning() {
    if (result_.verdict != Verdict::kPassed) return;
    const std::vector<FindingGroup> groups = GroupFindings(result_.tests);
    if (groups.empty()) return;
    AddSection("Right, and still worth a look");
    AddFinding(groups.front().findings.front());
  }

  /// Whether the next step above has these words: of a refused launch, the reason; of a place in an array,
  /// the element.
  bool IsInStep(const Message& detail) const {
    const Message& step = result_.next_step;
    if (say::refused.Made(detail) && !detail.arguments().back().inner.empty())
      return Contains(step, detail.arguments().back().inner.front());
    return Contains(step, detail) ||
           (say::place_in_object.Made(detail) &&
            (step.Mentions(say::element_of.id) || step.Mentions(say::one_element.id) ||
             step.Mentions("store_past_edge")));  // A row of the suites of matrices.
  }

  /// The source line, what happened there and to whom.
  void AddFinding(const MergedFinding& merged) {
    const Finding& finding = merged.finding;
    AddFindingTitle(finding, short_quotes_);
    AddLine("    ", finding.severity == Severity::kError ? Colour::kRed : Colour::kYellow,
            PrintableWords(FindingHeading(finding, merged.tests)));
    const TestResult* failed = FirstFailure(result_);
    const auto begins_with_line = [&](const Message& reason) {
      return say::in_line.Made(reason) && reason.arguments().front().number == finding.where.line;
    };
    for (const Message& detail : FindingDetails(finding, short_quotes_)) {
      // The advice above says more than message and place in an array; or the test below begins with that
      // very sentence.
      const bool is_message = detail == finding.message;
      const bool is_place = say::place_in_object.Made(detail);
      const bool is_same_line =
          say::the_other_access.Made(detail) && finding.other && *finding.other == finding.where;
      const bool said = NameComesFirst(result_)
                            ? is_message || is_place
                            : IsInStep(detail) || (is_message && failed != nullptr &&
                                                   begins_with_line(ReasonBelowAdvice(*failed, result_)));
      if (said || is_same_line) continue;
      if (is_message && result_.verdict == Verdict::kPassed) {  // Nothing else explains it.
        AddMessage(detail, 4);
      } else if (say::the_other_access.Made(detail) || say::the_other_barrier.Made(detail)) {
        AddVerbatim("    ", PrintableWords(detail));  // Ends with a source line.
      } else {
        AddLine("    ", Colour::kNone, PrintableWords(detail));
      }
    }
    AddReasonOfExit(finding);
  }

  /// Of a barrier that threads leave out: the line that sends them away, which is the one to mend.
  void AddReasonOfExit(const Finding& finding) {
    const bool returns = say::barrier_after_return.Made(finding.message);
    if (!returns && !say::barrier_skipped.Made(finding.message) &&
        !say::part_of_warp_skips_barrier.Made(finding.message))
      return;
    const auto line = static_cast<int>(finding.message.arguments().back().number);
    const Message quote = QuotedLine({finding.where.file, line}, short_quotes_);
    AddVerbatim("    ", PrintableWords(returns ? say::the_early_return(quote) : say::the_condition(quote)));
  }

  void AddTests() {
    const TestResult* first = FirstFailure(result_);
    if (first == nullptr) return;
    AddGap();
    AddFailure(TitleOf(*first));
    const Message reason = ReasonBelowAdvice(*first, result_);
    if (!reason.empty()) AddMessage(reason, 6);
    AddPrintedOf(first);
    const std::vector<OtherFailure> others = OtherFailures(*first);
    constexpr std::size_t kFooter = 1, kOthersKept = 4;
    const std::size_t kept = kFooter + std::min(others.size(), kOthersKept);
    AddWhatWasComputed(*first, kept);
    // The line that says how many more there are takes the place of the last ones.
    std::size_t shown = 0;
    for (; shown < others.size(); ++shown) {
      const std::string before = out_;
      AddFailure(others[shown].title);
      if (!others[shown].reason.empty()) AddMessage(others[shown].reason, 6);
      const std::size_t below = kFooter + (shown + 1 < others.size() ? 1 : 0);
      if (LinesUsed() + below <= kLines) continue;
      out_ = before;
      break;
    }
    // Rather a line less for what is printed below the report than a student who takes one failure for all.
    if (shown < others.size() && LinesUsed() + kFooter < kScreenLines) {
      AddMessage(say::more_tests_not_passed(say::Count(others.size() - shown, "more test")), 6);
    }
  }

  void AddFailure(const std::string& title) { AddLine("", Colour::kRed, Translated("FAIL"), "  " + title); }

  struct OtherFailure {
    std::string title;
    Message reason;  ///< Below the title; mostly empty.
  };

  /// The title of each, with the reason where it is a new one and there is room for it.
  std::vector<OtherFailure> OtherFailures(const TestResult& first) const {
    std::vector<OtherFailure> failures_shown;
    std::set<std::string> said = {English(first.reason)}, limits = {first.reason.id()};
    std::vector<const TestResult*> failures;
    for (const TestResult& test : result_.tests) {
      if (test.verdict != Verdict::kPassed && &test != &first) failures.push_back(&test);
    }
    // The headline has the worst verdict: a test with it must not fall off the end.
    std::ranges::stable_sort(failures, {}, [&](const TestResult* test) {
      return first.verdict == result_.verdict || test->verdict != result_.verdict;
    });
    for (const TestResult* each : failures) {
      const TestResult& test = *each;
      const std::string with_reason = PrintableWords(say::under_title(NamedTitleOf(test), test.reason));
      constexpr std::size_t kMargin = 6;
      const bool fits = DisplayWidth(with_reason) + kMargin <= style_.columns;
      // That a launch was refused is worth a line of its own: no value shows it. So is the reason of a
      // verdict that the headline has and the first failure has not.
      const bool is_of_headline = test.verdict == result_.verdict && first.verdict != result_.verdict;
      // And one of each further limit that is broken: the values say nothing of it.
      const bool is_of_other_limit =
          MissesARequirement(first) && MissesARequirement(test) && limits.insert(test.reason.id()).second;
      const bool is_worth_it = fits || is_of_headline || is_of_other_limit || say::refused.Made(test.reason);
      const bool is_new = is_worth_it && !test.reason.empty() && said.insert(English(test.reason)).second;
      failures_shown.push_back(
          {is_new && fits ? with_reason : TitleOf(test), is_new && !fits ? test.reason : Message()});
    }
    return failures_shown;
  }

  /// The wrong values of the test, and what was computed instead in one of them. A formula of another call
  /// stands below the values, which would else seem to be that call's.
  void AddWhatWasComputed(const TestResult& test, std::size_t kept) {
    const std::optional<Explanation> shown = ExplanationToShow();
    // Room for a wrong value with its table's head, for how many more there are, and for two lines below.
    constexpr std::size_t kBelow = 2, kTable = 3, kFormula = 3, kCall = 1;
    if (!shown || LinesLeft(kBelow) < kFormula) return AddWrongElements(test, kept);
    const std::string formula = FormulaLines(*shown, shown->elements.front(), 6, style_.columns);
    const bool takes_place = LinesLeft(kBelow + kTable) < kFormula;
    const bool is_of_other_call = !shown->call.empty();
    // That an element is not stored and should be 0, the values say.
    const ElementFormula& first = shown->elements.front();
    if (!is_of_other_call && !first.stored && first.right.empty()) return AddWrongElements(test, kept);
    if (is_of_other_call && !takes_place) AddWrongElements(test, kept + kFormula + kCall);
    out_ += formula;
    if (!is_of_other_call && !takes_place) AddWrongElements(test, kept);
  }

  /// Of which one element is shown. The facts about all of them would be a second thing to do beside the
  /// advice above. Where the test's title names the call, it is left out.
  std::optional<Explanation> ExplanationToShow() const {
    const TestResult* test = FirstFailure(result_);
    if (!test->explanation) test = ExplainedTest(result_.tests);
    if (test == nullptr || test->explanation->elements.empty() || ValuesAreRight(result_)) return {};
    if (!IsOfFirstMistake(*test)) return {};
    Explanation shown = *test->explanation;
    if (NamesCall(FirstFailure(result_)->title, shown.call)) shown.call = {};
    return shown;
  }

  /// What another test's call computed instead stands below the first failure only where one mistake explains
  /// both.
  bool IsOfFirstMistake(const TestResult& explained) const {
    const TestResult* first = FirstFailure(result_);
    if (first == nullptr) return false;
    const bool is_its_own = &explained == first;
    if (is_its_own &&
        (explained.explanation->call.empty() || NamesCall(first->title, explained.explanation->call)))
      return true;
    if (first->wrong_count == 0 && !is_its_own) return false;
    // An element that nobody stores has another cause than one that holds something wrong.
    const bool stored = first->wrong.empty() || !say::never_written.Made(first->wrong.front().note);
    if (stored != explained.explanation->elements.front().stored) return false;
    const auto has_fact_of = [&](const Message& advice) {
      return std::ranges::any_of(explained.explanation->facts,
                                 [&](const Message& fact) { return Contains(advice, fact); });
    };
    if (!NameComesFirst(result_))
      return explained.next_step == first->next_step || has_fact_of(result_.next_step);
    const Misconception& named = result_.misconceptions.front();
    if (named.finding) return has_fact_of(named.evidence);
    return named.tests && std::ranges::count(*named.tests, explained.name) > 0;
  }

  void AddWrongElements(const TestResult& test, std::size_t kept) {
    if (test.wrong.empty()) return;
    constexpr std::size_t kHeaderAndRest = 2, kFooter = 1;
    const std::size_t room = LinesLeft(kept + kHeaderAndRest);
    const std::size_t least = LinesLeft(kHeaderAndRest + kFooter) > 1 ? 2 : 1;
    std::string table;
    std::size_t shown = std::min(test.wrong.size(), std::max(least, room));
    const auto fits = [&] {
      return static_cast<std::size_t>(std::ranges::count(table, '\n')) <= std::max(least, room) + 1;
    };
    for (; shown > 0; --shown) {  // A note may take more lines than one.
      table = AlignWithin(WrongRows(test, shown), 4, style_.columns);
      if (fits() || shown == 1) break;
    }
    if (!fits()) {
      auto rows = WrongRows(test, shown);
      for (auto& row : rows) row.pop_back();
      table = AlignWithin(rows, 4, style_.columns);
    }
    out_ += table;
    if (test.wrong_count <= shown) return;
    AddMessage(say::more_wrong_elements(test.wrong_count - shown, test.element_count), 6);
  }

  /// The answer that the advice takes as its example comes first.
  std::vector<std::vector<std::string>> WrongRows(const TestResult& test, std::size_t shown) const {
    std::vector<std::vector<std::string>> rows = {{"", Translated("expected"), Translated("yours"), ""}};
    std::vector<WrongElement> ordered = test.wrong;
    if (const Message example = ExampleOfAdvice(result_); !example.empty()) {
      std::ranges::stable_partition(ordered, [&](const WrongElement& each) { return each.where == example; });
    }
    for (std::size_t i = 0; i < shown; ++i) {
      const WrongElement& wrong = ordered[i];
      rows.push_back({PrintableWords(wrong.where), PrintableWords(wrong.expected),
                      PrintableWords(wrong.actual), PrintableWords(wrong.note)});
    }
    return rows;
  }

  /// Prints for debugging are seen under the test that they are of, and a flood of them does not bury the
  /// report. Where that test printed nothing, it is the first that did.
  void AddPrintedOf(const TestResult* test) {
    constexpr std::size_t kShown = 2;
    if (test != nullptr && test->printed) {
      AddPrinted(*test, kShown, 6);
    } else if (const TestResult* other = FirstThatPrinted()) {
      AddMessage(say::printed_in(NamedTitleOf(*other)), 6);
      test = other;
      AddPrinted(*other, kShown, 8, /*is_said=*/true);
    } else {
      return;
    }
    const auto others = std::ranges::count_if(result_.tests, [&](const TestResult& each) {
      return each.printed && each.printed->text != test->printed->text;
    });
    if (others > 0) AddMessage(say::others_printed(say::Count(others, "test")), 6);
  }

  const TestResult* FirstThatPrinted() const {
    const auto found =
        std::ranges::find_if(result_.tests, [](const TestResult& test) { return test.printed.has_value(); });
    return found == result_.tests.end() ? nullptr : &*found;
  }

  /// Speed, and the counts that the exercise teaches, once they are about the right values. Other counts
  /// would only distract a beginner; --verbose shows them.
  void AddFigures() {
    if (result_.verdict == Verdict::kPassed && FirstThatPrinted() != nullptr) {
      AddGap();
      AddPrintedOf(nullptr);
    }
    AddSpeed();
    const TestResult* test = TestToCount(result_.tests);
    if (test == nullptr && result_.resources.empty()) return;
    constexpr std::size_t kFooter = 2, kTitle = 2, kMore = 1;
    const std::vector<Message> all = KernelLines(result_.resources, test, result_.shown_counts);
    std::vector<std::string> lines;
    std::vector<std::size_t> ends;  // Of each count's lines.
    for (const Message& each : all) {
      const auto wrapped = WrappedLines(PrintableWords(each), style_.columns, 2);
      lines.insert(lines.end(), wrapped.begin(), wrapped.end());
      ends.push_back(lines.size());
    }
    std::size_t shown = all.size();
    const auto fits = [&] {
      const std::size_t more = shown < all.size() ? kMore : 0;
      return ends[shown - 1] + more + kTitle <= LinesLeft(kFooter);
    };
    // A kernel's grid without its counts says nothing.
    while (shown > 0 && (!fits() || (shown < all.size() && IsLaunchLine(all[shown - 1])))) --shown;
    const bool is_cut = shown < all.size();
    lines.resize(shown == 0 ? 0 : ends[shown - 1]);
    // What comes first, registers and grid, is seldom what a failed test is about; its reason has that count.
    if (lines.empty() || (is_cut && result_.verdict != Verdict::kPassed)) return;
    AddGap();
    AddLine("", Colour::kBold, Translated("Counts"),
            test == nullptr ? "" : PrintableWords(say::counts_in(NamedTitleOf(*test))));
    for (const std::string& line : lines) out_ += line + "\n";
    if (is_cut) AddMessage(say::more_counts(), 2);
  }

  void AddSpeed() {
    if (!result_.speed) return;
    const bool has_times = result_.speed->status != SpeedStatus::kNotMeasured || result_.speed->estimate;
    const SpeedText text = DescribeSpeed(*result_.speed);
    if (text.lines.empty() || !(has_times || result_.verdict == Verdict::kPassed)) return;
    AddGap();
    AddMessage(say::speed_headline(text.lines.front()), 0);
    if (text.lines.size() > 1 && result_.speed->graded) AddMessage(text.lines.back(), 0);
  }

  void AddWhereTheRestIs() {
    if (result_.tests.empty()) {
      if (result_.diagnostics.size() > 1) AddMessage(say::more_messages_with_verbose(), 0);
      return;
    }
    std::size_t findings = 0;
    for (const FindingGroup& group : GroupFindings(result_.tests)) findings += group.findings.size();
    if (result_.verdict == Verdict::kPassed) AddGap();
    const say::Count tests(result_.tests.size(), "test");
    const std::string seed = std::to_string(result_.seed);
    AddMessage(findings == 0 ? say::more_with_verbose(tests, seed)
                             : say::more_findings_with_verbose(tests, say::Count(findings, "finding"), seed),
               0);
  }

  SourceQuotes short_quotes_;  ///< The heading has the file's path; here its name leaves room for the line.
};

}  // namespace

std::string ShortReport(const ExerciseResult& result, const TerminalStyle& style) {
  return Short(result, style).Draw();
}

}  // namespace warplings
