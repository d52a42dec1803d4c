// SPDX-License-Identifier: Apache-2.0
#include "grader/report/terminal_report.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "grader/advice/advise.h"
#include "grader/base/text.h"
#include "grader/messages/build.h"
#include "grader/messages/calls.h"
#include "grader/messages/device_work.h"
#include "grader/messages/findings.h"
#include "grader/messages/joining.h"
#include "grader/messages/judging.h"
#include "grader/messages/product_facts.h"
#include "grader/messages/refusals.h"
#include "grader/report/editor_report.h"
#include "grader/report/profile_data.h"
#include "grader/report/result_words.h"
#include "tests/support/made_up_result.h"

namespace warplings {
namespace {

using report_test::MadeUpResult;

constexpr TerminalStyle kPlain{.colour = false, .columns = 80, .detail = Detail::kFull};

/// Of a result as a test made it up: with the advice that its tests and misconceptions come to.
ExerciseResult Advised(ExerciseResult result) {
  result.advice.reset();
  AdviseStored(result);
  return result;
}
std::string Report(const ExerciseResult& result, const TerminalStyle& style) {
  return TerminalReport(Advised(result), style);
}
std::string GccOf(const ExerciseResult& result) {
  return GccReport(Advised(result));
}

TEST(TerminalReport, ToolsStandBesideTheGrade) {
  ExerciseResult result = MadeUpResult();
  Finding finding = result.tests[1].findings[0];
  finding.message = "Invalid __global__ read of size 4 bytes";
  result.tests.resize(1);
  result.tools = {{"memcheck", "", {finding}},
                  {"racecheck", "", {}},
                  {"synccheck", "", {}},
                  {"ncu", "ncu is not installed", {}}};
  result.measured_counts = {{"scale_kernel", "global_load_sectors", 1024, 1030}};
  const std::string report = Report(result, kPlain);
  EXPECT_NE(report.find("Found by memcheck on the GPU\n"
                        "  mine/scale.cu:2 | y[i] = a * x[i];\n"
                        "    error: out of bounds read, 12 times\n"
                        "      Invalid __global__ read of size 4 bytes\n"),
            std::string::npos)
      << report;
  EXPECT_NE(report.find("ncu did not finish\n  ncu is not installed\n"), std::string::npos) << report;
  EXPECT_NE(report.find("No findings from racecheck, synccheck.\n"), std::string::npos) << report;
  EXPECT_NE(report.find("Counts beside those that ncu measured, over all calls\n"
                        "  kernel        count                virtual GPU  ncu\n"
                        "  scale_kernel  global load sectors  1,024        1,030\n"),
            std::string::npos)
      << report;
}

TEST(TerminalReport, ARefusedCallIsNoLaunchThatFailed) {
  ExerciseResult result = MadeUpResult();
  result.verdict = result.tests[1].verdict = Verdict::kLaunchFailed;
  result.tests[1].findings.resize(1);
  result.tests[1].findings[0].kind = FindingKind::kInvalidCall;
  EXPECT_NE(Report(result, kPlain).find("(CUDA call failed)"), std::string::npos) << Report(result, kPlain);
  EXPECT_EQ(VerdictWords(result.tests[1]), "CUDA call failed");
  result.tests[1].findings[0].kind = FindingKind::kInvalidLaunch;
  EXPECT_NE(Report(result, kPlain).find("(launch failed)"), std::string::npos) << Report(result, kPlain);
}

TEST(TerminalReport, AnEmptyFileIsCalledEmpty) {
  ExerciseResult result = MadeUpResult();
  result.tests.clear();
  result.verdict = Verdict::kMissingEntry;
  result.reason = say::file_empty("scale.cu");
  EXPECT_EQ(VerdictWords(result), "empty file");
  result.reason = say::file_too_large("scale.cu");
  EXPECT_EQ(VerdictWords(result), "missing entry");
}

TEST(TerminalReport, ShowsAFailureFromTestsToVerdict) {
  EXPECT_EQ(Report(MadeUpResult(), kPlain), R"(scale: Scale a vector
  mine/scale.cu, on virtual:a100

  mine/scale.cu:3:7: warning: variable "j" is used before it is set
      tile[j] = 0;
  pass  one element
  FAIL  three elements
        the kernel read memory that is not its own
        In another call, with 5 elements:
        y[1]  yours  2·x[0] - x[3] + 7
              right  x[1]
        x is read one place too early.
              expected  yours
        y[1]  2.5       0      never written
        y[2]  -11.25    nan
        and 3 more, of 9 compared
        printed: hello
  FAIL  many elements
        your host code crashed (segmentation fault)

What the virtual GPU saw
  mine/scale.cu:2 | y[i] = a * x[i];
    error: out of bounds read, 42 times, in 2 tests
      reads past the end of x
      kernel scale_kernel, block (0, 0), thread (3, 0)
  mine/scale.cu:3 | tile[j] = 0;
    warning: race
      two threads meet at the same place and nothing orders them
      shared array `tile`
      the other access: mine/scale.cu:2 | y[i] = a * x[i];
      kernel scale_kernel, block (0, 0), thread (0, 0)

Kernels, counted in "three elements"
  scale_kernel: 32 registers per thread, 2,048 bytes of shared memory per block
  (ptxas)
  scale_kernel: grid 2 x 2, block 16 x 16, occupancy 100 % (8 blocks per SM)
  38,400 thread instructions, 1,200 warp instructions
  global loads: 256 sectors in 64 requests, 4.00 per request
  shared loads: 1.50 wavefronts, 0.50 bank conflicts per request, 512 requests

Do this first
  The load is not checked
    Draw the vector. Which cells exist?
    Seen in: three elements

NOT PASSED (crashed): 1 of 3 tests passed, 0 of 10 points
  Repeat with the same inputs: --seed 42
)");
}

TEST(TerminalReport, VerboseAddsCountsByLineAndTheCompilersText) {
  const std::string report =
      Report(MadeUpResult(), {.colour = false, .columns = 80, .detail = Detail::kVerbose});
  EXPECT_NE(report.find(R"(
  line  instructions  sectors  wavefronts  conflicts  source
  2     38,400        256      768         256        y[i] = a * x[i];
)"),
            std::string::npos)
      << report;
  EXPECT_NE(report.find("\nThe compiler's output\nscale.cu(3): warning\n"), std::string::npos) << report;
}

TEST(TerminalReport, LinesOfCodeAreCutAndNotBroken) {
  ExerciseResult result = MadeUpResult();
  const std::string line = "y[i] = a * x[i];";
  result.source.replace(result.source.find(line), line.size(), "y[blockIdx.x * SEGMENT + tx] = a * x[i];");
  const std::string report = Report(result, {.colour = false, .columns = 80, .detail = Detail::kVerbose});
  EXPECT_NE(report.find("y[blockIdx.x * SEGMENT ...\n"), std::string::npos) << report;
}

TEST(TerminalReport, APassIsShort) {
  ExerciseResult result = MadeUpResult();
  result.verdict = Verdict::kPassed;
  result.diagnostics.clear();
  result.tests.resize(1);
  result.misconceptions.clear();
  result.resources.clear();
  result.student_output.clear();
  result.points = 10;
  EXPECT_EQ(Report(result, kPlain), R"(scale: Scale a vector
  mine/scale.cu, on virtual:a100

  pass  one element

PASSED: 1 of 1 test passed, 10 of 10 points
  Repeat with the same inputs: --seed 42
)");
}

/// A course counts points by its own rules: two numbers for one exercise would stand on one page.
TEST(TerminalReport, APassByLuckSaysSo) {
  ExerciseResult result = MadeUpResult();
  result.verdict = Verdict::kPassed;
  result.tests.resize(1);
  result.misconceptions.clear();
  result.points = result.max_points = 10;
  const auto with = [&](Message message, const TerminalStyle& style) {
    result.diagnostics = {{Severity::kWarning, {"mine/scale.cu", 12}, 0, std::move(message)}};
    return Report(result, style);
  };
  const std::string line = "PASSED, but only by luck: `sum` is used before it is set (line 12)\n";
  for (const Message& each :
       {say::sum_read_unset("sum", say::Line(9), "float"), say::array_read_unset("sum", say::Line(9)),
        say::variable_read_unset("sum", say::Line(9)), say::variable_used_unset("sum")}) {
    EXPECT_NE(with(each, kPlain).find(line + "  1 of 1 test passed, 10 of 10 points\n"), std::string::npos)
        << with(each, kPlain);
    TerminalStyle screen = kPlain;
    screen.detail = Detail::kScreen;
    EXPECT_NE(with(each, screen).find(line), std::string::npos) << with(each, screen);
  }
  EXPECT_EQ(WordsOfLuck(result), ", but only by luck: `sum` is used before it is set (line 12)");
  result.diagnostics = {{Severity::kWarning,
                         {"mine/scale.cu", 12},
                         0,
                         say::loop_past_array("c", say::Line(12), "sum", "4", "3", "4", "N")}};
  EXPECT_EQ(WordsOfLuck(result),
            ", but only by luck: the loop over `c` in line 12 goes past the end of `sum`");
  result.diagnostics[0].message = say::loop_past_small_array("c", say::Line(12), "sum", "3", "2", "3");
  EXPECT_EQ(WordsOfLuck(result),
            ", but only by luck: the loop over `c` in line 12 goes past the end of `sum`");
  result.diagnostics[0].message = say::loop_reads_unset_elements("sum", 4, 1);
  EXPECT_EQ(WordsOfLuck(result),
            ", but only by luck: `sum` is used before all its elements are set (line 12)");
  for (const Message& each :
       {say::index_past_array("k", say::Line(12), "sum", "4", "3", "31", say::Line(11), "c"),
        say::array_index_or_loop("k", say::Line(12), "sum", "4", "3", "31", say::Line(11))}) {
    result.diagnostics[0].message = each;
    EXPECT_EQ(WordsOfLuck(result),
              ", but only by luck: the loop over `k` in line 11 goes past the end of `sum`");
  }
  for (const Message& each : {say::one_element_is_set("sum", 4, 1), Message("variable is never used")})
    EXPECT_NE(with(each, kPlain).find("PASSED: 1 of 1 test passed"), std::string::npos) << each;
  result.verdict = Verdict::kWrongResult;
  EXPECT_EQ(with(say::variable_used_unset("sum"), kPlain).find("luck"), std::string::npos);
}

TEST(TerminalReport, TheWorkbooksPointsCanBeLeftOut) {
  TerminalStyle style = kPlain;
  style.shows_points = false;
  const std::string report = Report(MadeUpResult(), style);
  EXPECT_NE(report.find("NOT PASSED (crashed): 1 of 3 tests passed\n"), std::string::npos) << report;
}

TEST(TerminalReport, ACompileErrorHasNoTests) {
  ExerciseResult result;
  result.exercise = "scale";
  result.title = "Scale a vector";
  result.file = "mine/scale.cu";
  result.source = "int x = y;\n";
  result.verdict = Verdict::kCompileError;
  result.reason = "scale.cu does not compile";
  result.next_step = "Mend the first error; others often follow from it.";
  result.diagnostics.resize(1);
  result.diagnostics[0].where = {"/submission/scale.cu", 1};
  result.diagnostics[0].message = "identifier \"y\" is undefined";
  EXPECT_EQ(Report(result, kPlain), R"(scale: Scale a vector
  mine/scale.cu

  mine/scale.cu:1: error: identifier "y" is undefined
      int x = y;

Do this first
  Mend the first error; others often follow from it.

NOT PASSED (compile error)
  scale.cu does not compile
)");
}

TEST(TerminalReport, AMessageOfTheCompilerIsSaidOnce) {
  ExerciseResult result;
  result.exercise = "scale";
  result.verdict = Verdict::kCompileError;
  result.reason = say::in_line(1, "identifier \"y\" is undefined");
  result.diagnostics.resize(1);
  result.diagnostics[0].message = "identifier \"y\" is undefined";
  for (const Detail detail : {Detail::kScreen, Detail::kFull}) {
    TerminalStyle style = kPlain;
    style.detail = detail;
    const std::string report = Report(result, style);
    const std::size_t first = report.find("\"y\" is undefined");
    ASSERT_NE(first, std::string::npos);
    EXPECT_EQ(report.find("\"y\" is undefined", first + 1), std::string::npos) << report;
  }
}

TEST(TerminalReport, AMisconceptionIsToldOnce) {
  const std::string report = Report(MadeUpResult(), kPlain);
  const std::size_t first = report.find("The load is not checked");
  ASSERT_NE(first, std::string::npos);
  EXPECT_EQ(report.find("The load is not checked", first + 1), std::string::npos);
}

TEST(TerminalReport, ColourOnlyWhereAskedFor) {
  EXPECT_EQ(Report(MadeUpResult(), kPlain).find('\x1b'), std::string::npos);
  const std::string coloured =
      Report(MadeUpResult(), {.colour = true, .columns = 80, .detail = Detail::kFull});
  EXPECT_NE(coloured.find("\x1b[31mFAIL\x1b[0m"), std::string::npos);
}

TEST(TerminalReport, ProseKeepsToTheWidth) {
  ExerciseResult result = MadeUpResult();
  result.misconceptions[0].message =
      std::string(40, 'a') + " " + std::string(30, 'b') + " " + std::string(20, 'c');
  std::istringstream lines(Report(result, {.colour = false, .columns = 50, .detail = Detail::kFull}));
  for (std::string line; std::getline(lines, line);) {
    if (line.find_first_of("abc") != std::string::npos && line.find("bbb") != std::string::npos) {
      EXPECT_LE(DisplayWidth(line), 50u) << line;
    }
  }
}

TEST(TerminalReport, TitlesAreWrappedAndNotCut) {
  ExerciseResult result = MadeUpResult();
  result.title = "a title of an exercise that takes more than one line of a narrow terminal to its end";
  result.tests[1].title =
      "a test whose title is as long as that of the exercise and takes lines to its end, too";
  result.misconceptions[0].title = "A cause that takes more than a line to say, to its end, in a title";
  for (const Detail detail : {Detail::kScreen, Detail::kFull}) {
    const std::string report = Report(result, {.colour = false, .columns = 60, .detail = detail});
    EXPECT_EQ(report.find("..."), std::string::npos) << report;
    for (const char* end : {"to its end\n", "its end, too\n", "title\n"}) {
      EXPECT_NE(report.find(end), std::string::npos) << end << report;
    }
    EXPECT_NE(report.find("FAIL  a test whose title is as long as that of the"), std::string::npos) << report;
  }
}

TEST(TerminalReport, APathLosesItsFrontAndNeverTheNumberOfTheLine) {
  ExerciseResult result = MadeUpResult();
  const std::string folders = "/home/" + std::string(60, 'a') + "/" + std::string(30, 'b') + "/";
  result.file = result.diagnostics[0].where.file = folders + "scale.cu";
  const std::string report = Report(result, {.colour = false, .columns = 60, .detail = Detail::kFull});
  EXPECT_NE(report.find("\n  .../" + std::string(30, 'b') + "/scale.cu"), std::string::npos) << report;
  EXPECT_NE(report.find("\n  .../scale.cu:2 | y[i] = a * x[i];\n"), std::string::npos) << report;
  EXPECT_NE(report.find("/scale.cu:3:7: warning:\n"), std::string::npos) << report;
  EXPECT_NE(report.find("the other access:\n      .../"), std::string::npos) << report;
  EXPECT_NE(report.find("/scale.cu:2\n      | y[i] = a * x[i];\n"), std::string::npos) << report;
}

/// Puts `text` wherever a submission chooses words, arguments of messages among them.
void SetAll(ExerciseResult& result, const std::string& text) {
  TestResult& test = result.tests[1];
  for (std::string* each :
       {&test.printed->text, &result.compiler_output, &result.source, &result.file, &test.launches[0].kernel,
        &result.resources[0].kernel, &test.findings[0].kernel}) {
    *each = text;
  }
  test.reason = result.diagnostics[0].message = say::assertion_failed(text);
  test.title = test.wrong[0].where = test.wrong[0].actual = test.explanation->call = text;
  test.findings[0].object = say::shared_array(text);
  test.findings[0].message = say::read_unwritten(say::Count(4, "byte"), test.findings[0].object);
}

TEST(TerminalReport, NothingOfASubmissionReachesTheTerminalRaw) {
  ExerciseResult result = MadeUpResult();
  SetAll(result, "\x1b[2J");
  EXPECT_EQ(Report(result, {.colour = false, .columns = 80, .detail = Detail::kVerbose}).find('\x1b'),
            std::string::npos);
}

TEST(TerminalReport, AFloodOfOutputIsCut) {
  ExerciseResult result = MadeUpResult();
  result.tests[1].printed = PrintedText{"", 980, 9800};
  for (int i = 0; i < 20; ++i) result.tests[1].printed->text += "line " + std::to_string(i) + "\n";
  const std::string report = Report(result, kPlain);
  EXPECT_NE(report.find("        printed: line 2\n        and 997 more lines printed\n"), std::string::npos)
      << report;
  EXPECT_EQ(report.find("line 3\n"), std::string::npos);
  const std::string all = Report(result, {.colour = false, .columns = 80, .detail = Detail::kVerbose});
  EXPECT_NE(all.find("        printed: line 19\n        and 980 more lines printed\n"), std::string::npos)
      << all;
  result.tests[1].printed = PrintedText{"one long li", 0, 9};
  EXPECT_NE(Report(result, kPlain).find("printed: one long li\n        and 9 more bytes printed\n"),
            std::string::npos);
}

TEST(TerminalReport, TheSamePrintedTextIsSaidOnce) {
  ExerciseResult result = MadeUpResult();
  result.tests[2].printed = result.tests[1].printed;
  result.tests[0].printed = PrintedText{"one\n", 0, 0};
  const std::string report = Report(result, kPlain);
  EXPECT_NE(report.find("  pass  one element\n        printed: one\n"), std::string::npos) << report;
  EXPECT_NE(report.find("        printed: hello\n        the same output in 1 more test\n"),
            std::string::npos)
      << report;
  EXPECT_EQ(report.find("hello"), report.rfind("hello")) << report;
}

constexpr TerminalStyle kScreen{.colour = false, .columns = 80, .detail = Detail::kScreen};

TEST(ScreenReport, SaysWhatToDoBeforeWhatElseFailed) {
  EXPECT_EQ(Report(MadeUpResult(), kScreen), R"(scale: Scale a vector
  mine/scale.cu, on virtual:a100

NOT PASSED (crashed): 1 of 3 tests passed, 0 of 10 points

  mine/scale.cu:3:7: warning: variable "j" is used before it is set
      tile[j] = 0;

Do this first: The load is not checked
  Draw the vector. Which cells exist?
  scale.cu:2 | y[i] = a * x[i];
    error: out of bounds read, 42 times, in 2 tests
    kernel scale_kernel, block (0, 0), thread (3, 0)

FAIL  three elements
      the kernel read memory that is not its own
      printed: hello
          expected  yours
    y[1]  2.5       0      never written
    y[2]  -11.25    nan
      and 3 more, of 9 compared
FAIL  many elements; your host code crashed (segmentation fault)
More: --verbose (3 tests, 2 findings). Same inputs: --seed 42
)");
}

TEST(ScreenReport, OfSeveralMessagesOfTheCompilerSaysHowToSeeTheOthers) {
  ExerciseResult result;
  result.exercise = "scale";
  result.verdict = Verdict::kCompileError;
  result.diagnostics.resize(1);
  result.diagnostics[0].message = "identifier \"y\" is undefined";
  EXPECT_EQ(Report(result, kScreen).find("--verbose"), std::string::npos);
  result.diagnostics.resize(4, result.diagnostics[0]);
  const std::string report = Report(result, kScreen);
  EXPECT_NE(report.find("and 3 more messages from the compiler\n"), std::string::npos) << report;
  EXPECT_TRUE(report.ends_with("\nMore: --verbose\n")) << report;
}

/// Without misconception or findings there is room, and the fact is the advice already.
TEST(ScreenReport, QuotesTheErrorThatIsTheReason) {
  ExerciseResult result;
  result.verdict = Verdict::kCompileError;
  result.file = "scale.cu";
  result.source = "void f() {\n  if (n) {\n}\nvoid g() {}\n";
  const Message brace = say::opening_brace_not_closed(Message("expected a \"}\""));
  result.diagnostics = {{Severity::kError, {"scale.cu", 4}, 0, "expected a \";\""},
                        {Severity::kError, {"scale.cu", 2}, 0, brace}};
  result.reason = say::in_line(2, brace);
  const std::string report = Report(result, kScreen);
  EXPECT_NE(report.find("scale.cu:2: error: the opening brace in this line is not closed"), std::string::npos)
      << report;
  EXPECT_EQ(report.find("scale.cu:4"), std::string::npos) << report;
}

TEST(ScreenReport, LeavesOutWarningsInHeadersOfTheSystem) {
  ExerciseResult result = MadeUpResult();
  Diagnostic own = result.diagnostics[0];
  result.diagnostics[0].where.file = "/usr/include/c++/12/bits/stl_algo.h";
  result.diagnostics[0].message = "GNU attributes on a template redeclaration have no effect";
  EXPECT_EQ(Report(result, kScreen).find("stl_algo"), std::string::npos);
  result.diagnostics.push_back(own);
  EXPECT_NE(Report(result, kScreen).find("mine/scale.cu:3:7: warning:"), std::string::npos);
  result.diagnostics[0].severity = Severity::kError;
  EXPECT_NE(Report(result, kScreen).find("stl_algo.h:3:7: error:"), std::string::npos);
}

TEST(ScreenReport, WhyALaunchWasRefusedStandsBelowALongTitle) {
  ExerciseResult result = MadeUpResult();
  result.misconceptions.clear();
  result.tests.resize(1);
  TestResult& test = result.tests[0];
  test = TestResult();
  test.name = "Scale.NoElements";
  test.verdict = Verdict::kLaunchFailed;
  test.title = "no elements at all, so that every one of the counts should be 0";
  test.reason = say::refused("kernel launch", say::no_blocks("0 x 1 x 1"));
  const std::string report = Report(result, kScreen);
  EXPECT_NE(report.find("should be 0\n      kernel launch was refused: a grid of 0 x 1 x 1 has no blocks\n"),
            std::string::npos)
      << report;
}

/// Below a barrier that threads leave out stands the line that sends them away.
TEST(ScreenReport, TheReturnBeforeABarrierIsQuoted) {
  ExerciseResult result = MadeUpResult();
  result.misconceptions.clear();
  Finding& finding = result.tests[1].findings[0];
  finding.kind = FindingKind::kBarrierAfterExit;
  const auto report = [&](const Message& message) {
    finding.message = message;
    result.tests[1].advised = 0;
    result.tests.resize(2);
    result.next_step = result.tests[1].next_step = "Let all threads reach it.";
    return Report(result, kScreen);
  };
  const std::string returns = report(say::barrier_after_return(255, 256, say::Line(1)));
  EXPECT_NE(returns.find("\n    the return: scale.cu:1 | "), std::string::npos) << returns;
  const std::string skips = report(say::barrier_skipped(255, 256, say::Line(1)));
  EXPECT_NE(skips.find("\n    the condition: scale.cu:1 | "), std::string::npos) << skips;
}

TEST(ScreenReport, AFactMayStandInPlaceOfTheTitle) {
  ExerciseResult result = MadeUpResult();
  result.misconceptions[0].evidence = Message("made_up", "the size is not rounded up", {});
  EXPECT_NE(Report(result, kScreen).find("Do this first: The load is not checked\n"), std::string::npos);
  result.misconceptions[0].fact_first = true;
  const std::string report = Report(result, kScreen);
  EXPECT_NE(report.find("Do this first: The size is not rounded up\n"), std::string::npos) << report;
  EXPECT_EQ(report.find("The load is not checked"), std::string::npos) << report;
  for (const std::string fact : {"output(r, c) is what output(r + 2, c) should be", "first_col is too large",
                                 "n = 256 gives two sums", "counts 的元素沒有設成 0"}) {
    result.misconceptions[0].evidence = Message("made_up", fact, {});
    EXPECT_NE(Report(result, kScreen).find("Do this first: " + fact + "\n"), std::string::npos) << fact;
  }
  const Message rows = "you leave out rows.", three = "3 rows";
  result.misconceptions[0].evidence =
      Message("example_of_step", "{1} Example: {2}", {AsArgument(rows), AsArgument(three)});
  const std::string with_example = Report(result, kScreen);
  EXPECT_NE(with_example.find("Do this first: You leave out rows.\n  Draw the vector. Which cells exist? "
                              "Example: 3 rows.\n"),
            std::string::npos)
      << with_example;
}

/// "NOT PASSED (crashed)" above advice about wrong values would be a riddle.
TEST(ScreenReport, TheVerdictOfTheAdvicesTestComesFirst) {
  ExerciseResult result = MadeUpResult();
  result.misconceptions.clear();
  result.next_step = "Look at the sum.";
  result.tests[1].verdict = Verdict::kWrongResult;
  result.tests[1].next_step = result.next_step;
  result.tests[2].next_step = "Look at the pointer.";
  EXPECT_NE(Report(result, kScreen).find("wrong result; in other tests: crashed"), std::string::npos);
  result.tests[2].next_step = result.next_step;
  EXPECT_EQ(Report(result, kScreen).find("in other tests"), std::string::npos);
}

TEST(ScreenReport, ShowsWhatWasComputedInTheFirstTest) {
  ExerciseResult result = MadeUpResult();
  result.misconceptions.clear();
  result.diagnostics.clear();
  result.next_step = "x is read one place too early.";
  result.tests.resize(2);
  result.tests[1].findings.clear();
  const std::string report = Report(result, kScreen);
  EXPECT_NE(report.find(R"(      printed: hello
          expected  yours
    y[1]  2.5       0      never written
)"),
            std::string::npos)
      << report;
  // Below the test's own values, which are not of that call.
  EXPECT_LT(report.find("    y[1]  2.5"), report.find("In another call, with 5 elements:")) << report;
  EXPECT_NE(report.find(R"(
      In another call, with 5 elements:
      y[1]  yours  2·x[0] - x[3] + 7
            right  x[1]
)"),
            std::string::npos)
      << report;
  EXPECT_EQ(report.find("too early"), report.rfind("too early")) << report;
}

/// Each print stands with the test that it is of.
TEST(ScreenReport, ShowsWhatTheFirstFailingTestPrinted) {
  ExerciseResult result = MadeUpResult();
  result.tests[0].printed = PrintedText{"one\n", 0, 0};
  result.tests[2].printed = result.tests[1].printed;
  EXPECT_NE(Report(result, kScreen)
                .find("      printed: hello\n      the same output in 1 more test\n"
                      "      1 test printed something else; --verbose shows it\n"),
            std::string::npos)
      << Report(result, kScreen);
  result.tests[1].printed.reset();
  result.tests[2].printed.reset();
  EXPECT_NE(Report(result, kScreen).find("      printed in \"one element\":\n        one\n"),
            std::string::npos)
      << Report(result, kScreen);
  result.tests[0].printed.reset();
  EXPECT_EQ(Report(result, kScreen).find("printed"), std::string::npos);
}

std::size_t LinesOf(const std::string& report) {
  return static_cast<std::size_t>(std::ranges::count(report, '\n'));
}

/// Whatever a submission does, and however long a suite's sentences are.
TEST(ScreenReport, FitsWhateverIsInIt) {
  ExerciseResult result = MadeUpResult();
  for (int i = 0; i < 100; ++i) {
    TestResult other = result.tests[1];
    other.title = "test " + std::to_string(i) + " " + std::string(90, 't');
    other.findings[0].where.line = i;
    result.tests.push_back(other);
    result.diagnostics.push_back(result.diagnostics[0]);
    result.tests[1].printed->text += std::string(200, 'p') + "\n";
    result.tests[1].wrong.push_back(
        {"P[" + std::to_string(i) + "]", std::string(30, '1'), std::string(30, '2'), "note"});
  }
  result.diagnostics[0].message = std::string(5000, 'd') + " " + std::string(5000, 'e');
  result.file = "a/" + std::string(200, 'f') + ".cu";
  for (const std::size_t columns : {40u, 80u, 120u}) {
    const std::string report =
        Report(result, {.colour = false, .columns = columns, .detail = Detail::kScreen});
    if (columns >= 80) {
      EXPECT_LE(LinesOf(report), kScreenLines) << report;
    }
    std::istringstream lines(report);
    for (std::string line; std::getline(lines, line);) EXPECT_LE(DisplayWidth(line), columns) << line;
  }
}

/// Not of the largest test, which kept the limit.
TEST(ScreenReport, CountsAreThoseOfTheCallThatBrokeTheLimit) {
  ExerciseResult result = MadeUpResult();
  result.verdict = Verdict::kWrongResult;
  result.shown_counts = {"global_loads"};
  result.tests.resize(3, result.tests[0]);
  const char* const titles[] = {"a large one", "a small one", "few loads"};
  for (std::size_t i = 0; i < 3; ++i) {
    TestResult& test = result.tests[i];
    test = MadeUpResult().tests[0];
    test.title = titles[i];
    test.launches.resize(1);
    test.launches[0].kernel = "scale";
    test.launches[0].totals.thread_instructions = 3000 - 1000 * i;
  }
  TestResult& limit = result.tests[2];
  limit.verdict = Verdict::kWrongResult;
  limit.element_count = 9;
  result.advice.reset();
  result.misconceptions.clear();
  const auto counts_in = [&] {
    const std::string report = Report(result, kScreen);
    const std::size_t at = report.find("Counts in \"");
    return at == std::string::npos ? report : report.substr(at, report.find('\n', at) - at);
  };
  limit.launches[0].totals.global_load_requests = result.tests[1].launches[0].totals.global_load_requests =
      result.tests[0].launches[0].totals.global_load_requests = 3;
  limit.reason = "2048 sectors";
  EXPECT_EQ(counts_in(), "Counts in \"few loads\"");
  limit.reason = say::limit_of_every_call(Message("a small one"), Message("2048 sectors"));
  EXPECT_EQ(counts_in(), "Counts in \"a small one\"");
  limit.reason = say::LimitOfEveryCall("a small one", "7 elements", Message("2048 sectors"));
  EXPECT_EQ(counts_in(), "Counts in \"a small one\"");
  EXPECT_EQ(TestToProfile(result.tests), 1u);
  limit.reason = say::limit_of_every_call(Message("one that is not there"), Message("2048 sectors"));
  EXPECT_EQ(counts_in(), "Counts in \"few loads\"");
  limit.verdict = Verdict::kPassed;
  EXPECT_EQ(counts_in(), "Counts in \"a large one\"");
}

TEST(ScreenReport, CountsAreShownOnceTheValuesAreRight) {
  ExerciseResult result = MadeUpResult();
  EXPECT_EQ(Report(result, kScreen).find("sectors"), std::string::npos);
  result.verdict = Verdict::kWrongResult;
  result.shown_counts = {"global_loads", "shared_atomics"};
  result.tests[2] = result.tests[0];
  TestResult& test = result.tests[1];
  test.verdict = Verdict::kWrongResult;
  test.reason =
      Message("made_up", "{1} sectors, and at most 64 are allowed", {AsArgument(say::Number(2048))});
  test.wrong.clear();
  test.wrong_count = 0;
  test.findings.clear();
  result.diagnostics.clear();
  const std::string report = Report(result, kScreen);
  EXPECT_NE(report.find("\n  all values are right, but another requirement is not met\n"), std::string::npos)
      << report;
  EXPECT_NE(report.find("2,048 sectors, and at most 64 are allowed"), std::string::npos) << report;
  EXPECT_NE(report.find("global loads: 256 sectors"), std::string::npos) << report;
  EXPECT_EQ(report.find("thread instructions"), std::string::npos) << report;
  EXPECT_EQ(report.find("per thread,"), std::string::npos) << report;
  EXPECT_EQ(report.find("wrong result"), std::string::npos) << report;
  result.shown_counts.clear();
  EXPECT_EQ(Report(result, kScreen).find("Counts in"), std::string::npos);
  result.shown_counts = {"registers", "launch", "global_loads"};
  // Half of them would be registers and grid, which the failed test is seldom about.
  const TestResult again = test;  // The vector moves its elements.
  for (int i = 0; i < 8; ++i) result.tests.push_back(again);
  const std::string crowded = Report(result, kScreen);
  EXPECT_EQ(crowded.find("Counts in"), std::string::npos) << crowded;
  EXPECT_LE(LinesOf(crowded), kScreenLines) << crowded;
}

/// Evidence as GiveTitles leaves it.
Message OfTest(const TestResult& test, const Message& what) {
  Message evidence = say::of_test(test.name, what);
  evidence.arguments().front().inner = {test.title};
  return evidence;
}

/// An error may make a kernel run for ever, and advice about it speaks of no time.
TEST(ScreenReport, ALimitOfTimeStandsBehindTheErrorOfTheAdvice) {
  ExerciseResult result = MadeUpResult();
  result.tests[1].verdict = result.verdict = Verdict::kTimeLimit;
  ASSERT_EQ(result.tests[1].findings[0].kind, FindingKind::kOutOfBounds);
  result.misconceptions[0].finding = result.tests[1].findings[0];
  result.misconceptions[0].tests = {result.tests[1].name};
  const std::string both = "\n  the virtual GPU saw an error; tests also ran out of time\n";
  EXPECT_NE(Report(result, kScreen).find(both), std::string::npos) << Report(result, kScreen);
  result.tests[1].findings[0].kind = FindingKind::kEndlessLoop;
  result.misconceptions[0].finding = result.tests[1].findings[0];
  EXPECT_NE(Report(result, kScreen).find("NOT PASSED (time limit)"), std::string::npos)
      << Report(result, kScreen);
  result.tests[1].findings[0].kind = FindingKind::kDeadlock;
  result.misconceptions[0].finding = result.tests[1].findings[0];
  EXPECT_NE(Report(result, kScreen).find("NOT PASSED (deadlock)"), std::string::npos)
      << "nobody waited for a limit";
  result.tests[2].verdict = Verdict::kTimeLimit;
  EXPECT_NE(Report(result, kScreen).find("NOT PASSED (time limit)"), std::string::npos) << "another one did";
}

/// An error that is not shown is no reason that a reader could find.
TEST(ScreenReport, AnErrorThatIsLeftOutIsNotTheVerdict) {
  ExerciseResult result = MadeUpResult();
  TestResult& wrong = result.tests[1];
  wrong.findings.resize(1);
  wrong.reason = say::in_line(wrong.findings[0].where.line, wrong.findings[0].message);
  result.tests.erase(result.tests.begin() + 2);
  result.verdict = Verdict::kFinding;
  result.misconceptions.clear();
  result.next_step = wrong.next_step;
  result.advice = Advice{.misconception = "", .test = wrong.name, .finding = std::nullopt, .later = {}};
  EXPECT_NE(Report(result, kScreen).find("NOT PASSED (the virtual GPU saw an error)"), std::string::npos)
      << Report(result, kScreen);
  // What is never stored is asked about, and a read outside an array is another mistake.
  wrong.explanation->elements.front().stored = false;
  EXPECT_NE(Report(result, kScreen).find("NOT PASSED (wrong result)"), std::string::npos)
      << Report(result, kScreen);
}

/// The table of values says "never written" and 0, and a formula without products says no more.
TEST(ScreenReport, AnUnstoredZeroHasNoFormula) {
  ExerciseResult result = MadeUpResult();
  result.tests[1].findings.clear();
  result.tests[2].findings.clear();
  result.misconceptions.clear();
  Explanation& explanation = *result.tests[1].explanation;
  explanation.call = {};
  ElementFormula& formula = explanation.elements.front();
  formula.stored = false;
  formula.yours.clear();
  EXPECT_NE(Report(result, kScreen).find("never stored"), std::string::npos) << Report(result, kScreen);
  formula.right.clear();
  EXPECT_EQ(Report(result, kScreen).find("never stored"), std::string::npos) << Report(result, kScreen);
}

/// A line that has nothing to do with the advice above it sends the reader astray.
TEST(ScreenReport, QuotesTheFindingThatTheAdviceIsAbout) {
  ExerciseResult result = MadeUpResult();
  Finding race = result.tests[1].findings[1];
  result.tests[1].findings.pop_back();
  result.tests[2].findings = {race};
  result.misconceptions[0].evidence = OfTest(result.tests[2], "a race");
  std::string report = Report(result, kScreen);
  EXPECT_NE(report.find("  scale.cu:3 | tile[j] = 0;\n    warning: race\n"), std::string::npos) << report;
  EXPECT_EQ(report.find("out of bounds"), std::string::npos) << report;
  EXPECT_NE(report.find("2 findings"), std::string::npos) << "--verbose has both\n" << report;

  // Where the named test has no finding, its evidence says what was seen.
  result.misconceptions[0].evidence = OfTest(result.tests[0], "counts that are too high");
  report = Report(result, kScreen);
  EXPECT_NE(report.find("  Seen in: \"one element\": counts that are too high\n"), std::string::npos)
      << report;
  EXPECT_EQ(report.find("scale.cu:2 |"), std::string::npos) << report;
}

TEST(ScreenReport, ShowsTheFindingThatANextStepOrANameRestsOn) {
  ExerciseResult result = MadeUpResult();
  ASSERT_EQ(result.tests[1].findings.size(), 2u);
  const std::vector<Finding> both = result.tests[1].findings;
  const std::string outside = "error: out of bounds", race = "warning: race";
  const auto shows = [&](const std::string& line) {
    return Report(result, kScreen).find(line) != std::string::npos;
  };
  result.tests[1].next_step = result.next_step = "Which lane stores it?";
  for (const std::uint64_t advised : {0u, 1u}) {
    result.tests[1].advised = advised;
    EXPECT_EQ(shows(outside), advised == 0) << Report(result, kScreen);
    EXPECT_EQ(shows(race), advised == 1);
  }
  // Advice about something else, such as the values; and an index that a damaged result has.
  for (const std::optional<std::uint64_t> none :
       {std::optional<std::uint64_t>(), std::optional<std::uint64_t>(7)}) {
    result.tests[1].advised = none;
    EXPECT_FALSE(shows(outside) || shows(race));
  }
  result.next_step = {};
  result.misconceptions[0].finding = both[1];
  EXPECT_TRUE(shows(race));
  EXPECT_FALSE(shows(outside));
}

/// Three mistakes: one thing first, each of the others in a line, and the test that is shown is of the first.
TEST(ScreenReport, OneCauseComesFirstAndTheOthersHaveALineEach) {
  ExerciseResult result = MadeUpResult();
  result.tests[1].findings.clear();
  result.tests[2].findings.clear();
  Misconception& first = result.misconceptions[0];
  first.evidence = OfTest(result.tests[2], "rows of k");
  first.tests = {"Scale.Many", "Scale.More"};
  result.misconceptions.push_back(
      {"empty", "The grid is empty", "Long.", "", std::vector{first.tests->front()}});
  result.misconceptions.push_back({"old", "The bound is old", "Long.", "", {}});
  const std::string report = Report(result, kScreen);
  EXPECT_NE(report.find("Do this first: The load is not checked\n"), std::string::npos) << report;
  EXPECT_NE(report.find("  Seen in 2 of 3 tests: rows of k\n\n"
                        "  After that: The grid is empty (1 test)\n"
                        "  After that: The bound is old\n"),
            std::string::npos)
      << report;
  EXPECT_LT(report.find("FAIL  many elements"), report.find("FAIL  three elements")) << report;
  EXPECT_EQ(report.find("Long."), std::string::npos) << report;

  const std::string full = Report(result, kPlain);
  EXPECT_LT(full.find("Do this first\n  The load is not checked"),
            full.find("After that\n  The grid is empty"))
      << full;
}

/// A test counts as one that shows a fact only if the suite stated the fact of it.
TEST(TerminalReport, OnlyTestsOfWhichAFactWasStatedShowIt) {
  ExerciseResult result = MadeUpResult();
  result.tests[1].findings.clear();
  result.tests[2].findings.clear();
  Misconception& first = result.misconceptions[0];
  first.evidence = OfTest(result.tests[2], "rows of k");
  first.tests = {"Scale.Many", "Scale.More"};
  const Message stated = say::of_test(result.tests[2].name, "rows of k");
  const auto says = [&](const std::string& brief, const std::string& full) {
    EXPECT_NE(Report(result, kScreen).find("  " + brief + "rows of k\n"), std::string::npos)
        << Report(result, kScreen);
    EXPECT_NE(Report(result, kPlain).find("    " + full), std::string::npos) << Report(result, kPlain);
  };
  const std::string all = "Seen in 2 of 3 tests", alike = "2 tests fail in this way. In one of them: ";
  result.facts = std::vector{Fact{"rows", stated}};
  says(alike, alike);
  result.facts = std::vector{Fact{"rows", stated, first.tests.value()}};
  says(all + ": ", all + ", such as ");
  result.facts = std::vector{Fact{"rows", "rows of k"}};
  says(all + ": ", all + ", such as ");
  result.tests[2].explanation.emplace().facts = {"rows of k"};
  says(alike, alike);
  result.tests[2].explanation.reset();
  // Told as a later cause, it has no number.
  ExerciseResult later = result;
  later.misconceptions.push_back(later.misconceptions[0]);
  later.misconceptions[1].id = "rows";
  later.misconceptions[1].title = "Rows are counted";
  EXPECT_NE(Report(later, kScreen).find("After that: Rows are counted (2 tests)\n"), std::string::npos)
      << Report(later, kScreen);
  later.facts = std::vector{Fact{"rows", stated}};
  EXPECT_NE(Report(later, kScreen).find("After that: Rows are counted\n"), std::string::npos)
      << Report(later, kScreen);
  later.misconceptions[1].finding = Finding{};
  later.misconceptions[1].finding->where = {"mine.cu", 7};
  EXPECT_NE(Report(later, kScreen).find("After that: Rows are counted (line 7)\n"), std::string::npos)
      << Report(later, kScreen);
  // The suite saw it in a test that passed: no failing test shows it.
  result.facts = std::vector{Fact{"rows", stated, {result.tests[0].name}}};
  EXPECT_EQ(Report(result, kPlain).find("Seen in 2"), std::string::npos) << Report(result, kPlain);
  EXPECT_EQ(Report(result, kScreen).find("Seen in 2"), std::string::npos) << Report(result, kScreen);
  first.tests = {"Scale.More"};
  EXPECT_EQ(Report(result, kPlain).find(alike), std::string::npos);
}

/// Of two mistakes with one name the first is said where it belongs, and the other one on a line of its own.
TEST(ScreenReport, AFurtherMistakeOfOneNameHasALineOfItsOwn) {
  ExerciseResult result = MadeUpResult();
  result.tests[1].findings.clear();
  result.tests[2].findings.clear();
  Misconception& first = result.misconceptions[0];
  first.evidence = OfTest(result.tests[2], "x");
  first.evidence.arguments().back().inner = {say::and_another_step("you count rows.", "you count twice.")};
  first.tests = {"Scale.Many", "Scale.More"};
  std::string report = Report(result, kScreen);
  EXPECT_NE(report.find("  Seen in 2 of 3 tests: you count rows.\n\n  After that: You count twice.\n"),
            std::string::npos)
      << report;
  first.fact_first = true;
  report = Report(result, kScreen);
  EXPECT_NE(report.find("Do this first: You count rows.\n"), std::string::npos) << report;
  EXPECT_NE(report.find("\n\n  After that: You count twice.\n"), std::string::npos) << report;
}

/// A read past the end has nothing to do with a race in another array, but many errors follow from the first
/// mistake: they wait for the next check.
TEST(ScreenReport, AnotherErrorWaitsForTheNextCheck) {
  ExerciseResult result = MadeUpResult();
  Finding race = result.tests[1].findings.at(1), outside = result.tests[1].findings.at(0);
  ASSERT_EQ(race.kind, FindingKind::kRace);
  ASSERT_EQ(outside.kind, FindingKind::kOutOfBounds);
  ASSERT_FALSE(race.object == outside.object);
  race.severity = Severity::kError;
  result.tests[1].findings = {outside};
  result.tests[2].findings = {race};
  result.misconceptions[0].finding = race;
  result.misconceptions[0].tests = {result.tests[1].name, result.tests[2].name};
  std::string report = Report(result, kScreen);
  EXPECT_LT(report.find("FAIL  " + English(result.tests[2].title)),
            report.find("FAIL  " + English(result.tests[1].title)))
      << "the test with the race\n"
      << report;
  EXPECT_EQ(report.find("After that"), std::string::npos) << report;
  result.misconceptions[0].tests = {result.tests[2].name};
  report = Report(result, kScreen);
  EXPECT_EQ(report.find("After that"), std::string::npos) << report;
}

Finding Refused(const Message& why) {
  Finding refused;
  refused.kind = FindingKind::kInvalidLaunch;
  refused.where = {"/submission/scale.cu", 4};
  refused.message = say::refused("kernel launch", why);
  return refused;
}

/// A size of 0 is another matter than wrong values, and cannot follow from them.
TEST(ScreenReport, ALaunchThatOtherTestsRefuseComesAfterTheAdvice) {
  const std::string after = "After that", empty = "a grid of 0 x 1 x 1 has no blocks";
  ExerciseResult result = MadeUpResult();
  result.misconceptions.clear();
  for (TestResult& test : result.tests) test.findings.clear();
  result.tests[1].verdict = Verdict::kWrongResult;
  result.tests[1].next_step = result.next_step = "P is wrong.";
  result.tests[2].verdict = result.verdict = Verdict::kLaunchFailed;
  result.tests[2].findings = {Refused(empty)};
  EXPECT_NE(Report(result, kScreen)
                .find("After that: the launch in line 4 is refused, because a grid of 0 x 1 x 1 has\n"
                      "  no blocks (1 test)\n"),
            std::string::npos)
      << Report(result, kScreen);
  const auto tells = [&](const ExerciseResult& told) {
    return Report(told, kScreen).find(after) != std::string::npos;
  };
  ExerciseResult other = result;
  other.tests[2].next_step = other.next_step;
  EXPECT_FALSE(tells(other)) << "what the advice is about";
  other = result;
  other.tests[1].verdict = Verdict::kLaunchFailed;
  other.tests[1].findings = {Refused("too large")};
  EXPECT_FALSE(tells(other)) << "the advice is about a launch";
  other = result;
  for (std::size_t i = 1; i < 3; ++i)
    other.tests[i].wrong = {{"y[1]", "2.5", "nothing", say::never_written()}};
  EXPECT_FALSE(tells(other)) << "too few blocks for most sizes are none for the smallest";
  other.tests[1].wrong[0].note = {};
  EXPECT_TRUE(tells(other)) << "the advice is about wrong values";
  other = result;
  other.misconceptions.push_back({"later", "The bound is old", "Long.", "", {}});
  other.advice->later = {"later"};
  EXPECT_EQ(Report(other, kScreen).find(empty), std::string::npos) << Report(other, kScreen);
  other = MadeUpResult();
  other.tests[2] = result.tests[2];
  other.misconceptions[0].finding.reset();
  other.misconceptions[0].tests = {other.tests[1].name};
  EXPECT_TRUE(tells(other));
  other.misconceptions[0].tests->push_back(other.tests[2].name);
  EXPECT_FALSE(tells(other)) << "a test of the name";
}

TEST(ScreenReport, ACopyThatStoresTheOutputComesAfterAnotherCause) {
  ExerciseResult result = MadeUpResult();
  for (TestResult& test : result.tests) test.findings.clear();
  result.misconceptions[0].finding.reset();
  result.advice->finding.reset();
  result.misconceptions[0].tests = {result.tests[1].name};
  const std::string told = "After that: a copy writes `y`, but a kernel should (1 test)\n";
  EXPECT_EQ(Report(result, kScreen).find(told), std::string::npos);
  result.tests[2].verdict = Verdict::kWrongResult;
  result.tests[2].reason = say::all_copied(say::Count(256, "element"), "y");
  EXPECT_NE(Report(result, kScreen).find(told), std::string::npos) << Report(result, kScreen);
  result.misconceptions[0].tests->push_back(result.tests[2].name);
  EXPECT_EQ(Report(result, kScreen).find(told), std::string::npos) << "the first cause may explain it";
}

/// Where the first cause is that nothing is launched, what a launch does not store has another one.
TEST(ScreenReport, WhatALaunchDoesNotStoreComesAfterACauseWithoutLaunches) {
  ExerciseResult result = MadeUpResult();
  for (TestResult& test : result.tests) {
    test.findings.clear();
    test.launches.clear();
  }
  result.misconceptions[0].finding.reset();
  result.advice->finding.reset();
  for (std::size_t i = 1; i < 3; ++i) {
    result.tests[i].verdict = Verdict::kWrongResult;
    result.tests[i].wrong = {{"y[7]", "2.5", "nothing", say::never_written()}};
  }
  result.misconceptions[0].tests = {result.tests[1].name};
  LaunchRecord launch;
  launch.completed = true;
  result.tests[2].launches = {launch};
  const auto tells = [](const ExerciseResult& told) {
    return Report(told, kScreen)
               .find("After that: where a kernel is launched, `y[7]` is never stored (1 test)\n") !=
           std::string::npos;
  };
  EXPECT_TRUE(tells(result)) << Report(result, kScreen);
  ExerciseResult other = result;
  other.tests[1].launches = {launch};
  EXPECT_FALSE(tells(other)) << "the first cause may explain it";
  other = result;
  other.tests[2].launches.clear();
  EXPECT_FALSE(tells(other));
  other = result;
  other.tests[2].wrong[0].note = {};
  EXPECT_FALSE(tells(other)) << "wrong values";
  other = result;
  other.misconceptions[0].tests->push_back(other.tests[2].name);
  EXPECT_FALSE(tells(other)) << "a test of the name";
}

/// A call that launches nothing is no matter of what kernels compute.
TEST(ScreenReport, ACallThatLaunchesNothingComesAfterACauseInAKernel) {
  ExerciseResult result = MadeUpResult();
  result.misconceptions.clear();
  result.advice->finding.reset();
  LaunchRecord launch;
  launch.completed = true;
  for (TestResult& test : result.tests) {
    test.findings.clear();
    test.launches = {launch};
  }
  result.advice = Advice{"", result.tests[1].name};
  for (std::size_t i = 1; i < 3; ++i) {
    result.tests[i].verdict = result.verdict = Verdict::kWrongResult;
    result.tests[i].wrong = {{"y[7]", "2.5", "1", {}}};
  }
  result.tests[2].launches.clear();
  result.tests[2].reason = say::none_launched_and_wrong(say::the_only_one_is_wrong("y[7]"));
  result.tests[2].wrong[0].note = say::never_written();
  const auto tells = [](const ExerciseResult& told) {
    return Report(told, kScreen)
               .find("After that: where no kernel is launched, `y[7]` is never stored (1 test)\n") !=
           std::string::npos;
  };
  EXPECT_TRUE(tells(result)) << Report(result, kScreen);
  ExerciseResult other = result;
  other.tests[1].wrong[0].note = say::never_written();
  EXPECT_FALSE(tells(other)) << "blocks that are too few may be none";
  other = result;
  other.tests[1].launches.clear();
  EXPECT_FALSE(tells(other)) << "the advice is about it";
  other = result;
  other.tests[2].wrong[0].note = {};
  EXPECT_FALSE(tells(other)) << "something is stored";
}

/// A requirement that a launch misses cannot follow from a call that launches nothing.
TEST(ScreenReport, ARequirementOfLaunchesComesAfterACauseWithoutThem) {
  ExerciseResult result = MadeUpResult();
  result.misconceptions.clear();
  LaunchRecord launch;
  launch.completed = true;
  for (TestResult& test : result.tests) test.findings.clear();
  result.advice = Advice{"", result.tests[1].name};
  result.verdict = Verdict::kWrongResult;
  result.tests[1].verdict = result.tests[2].verdict = Verdict::kWrongResult;
  result.tests[1].launches.clear();
  result.tests[1].wrong = {{"y[7]", "2.5", "nothing", say::never_written()}};
  result.tests[2].launches = {launch};
  result.tests[2].wrong.clear();
  result.tests[2].wrong_count = 0;
  result.tests[2].element_count = 1;
  result.tests[2].reason = "64 threads; at most 9 are allowed";
  const auto tells = [](const ExerciseResult& told) {
    return Report(told, kScreen).find("After that: 64 threads; at most 9 are allowed\n") != std::string::npos;
  };
  EXPECT_TRUE(tells(result)) << Report(result, kScreen);
  ExerciseResult other = result;
  other.tests[1].launches = {launch};
  EXPECT_FALSE(tells(other)) << "both may have one cause";
  other = result;
  other.tests[2].wrong_count = 1;
  EXPECT_FALSE(tells(other)) << "wrong values may have the first cause";
}

/// The first advice is about values; the test's error is of a mistake that is named after it.
TEST(ScreenReport, ALineOfALaterMistakeIsNotShownAsTheFirst) {
  ExerciseResult result = MadeUpResult();
  const Finding outside = result.tests[1].findings.at(0);
  result.advice->finding = outside;
  result.misconceptions[0].finding.reset();
  const std::string line = "error: out of bounds";
  EXPECT_NE(Report(result, kScreen).find(line), std::string::npos) << Report(result, kScreen);
  result.misconceptions.push_back({"later", "Threads store outside y", "Check it.", "seen"});
  result.misconceptions.back().finding = outside;
  EXPECT_EQ(Report(result, kScreen).find(line), std::string::npos) << Report(result, kScreen);
  result.misconceptions.back().finding->where.line = 7;
  EXPECT_NE(Report(result, kScreen).find(line), std::string::npos) << Report(result, kScreen);
}

/// The contract limits the first test alone; the next one breaks another limit.
TEST(ScreenReport, AFurtherLimitThatIsBrokenIsNamedBelowItsTest) {
  ExerciseResult result = MadeUpResult();
  result.misconceptions.clear();
  result.verdict = Verdict::kWrongResult;
  constexpr MessageRow<say::Number> loads{
      "made_up_loads", "{1} sectors are loaded, which is far more than the limit that the contract sets"};
  constexpr MessageRow<say::Number> steps{
      "made_up_steps",
      "a warp executed {1} instructions, which is far more than the limit that the contract sets"};
  TestResult broken = result.tests[1];
  broken.verdict = Verdict::kWrongResult;
  broken.wrong_count = 0;
  broken.element_count = 5;
  broken.wrong.clear();
  broken.findings.clear();
  broken.explanation.reset();
  broken.reason = loads(40);
  broken.next_step = result.next_step = "Count the loads.";
  result.tests = {broken, broken, broken, broken};
  const char* names[] = {"Scale.Three", "Scale.Many", "Scale.More", "Scale.Most"};
  for (std::size_t i = 0; i < 4; ++i) result.tests[i].name = names[i];
  result.tests[1].reason = loads(50);
  result.tests[2].reason = steps(60);
  result.tests[3].reason = steps(70);
  result.advice->test = "Scale.Three";
  result.advice->misconception.clear();
  result.advice->finding.reset();
  const std::string report = Report(result, kScreen);
  EXPECT_NE(report.find("40 sectors are loaded"), std::string::npos) << report;
  EXPECT_NE(report.find("a warp executed 60 instructions"), std::string::npos) << report;
  EXPECT_EQ(report.find("50 sectors"), std::string::npos) << "the same limit again\n" << report;
  EXPECT_EQ(report.find("executed 70"), std::string::npos) << report;
}

/// Most failing tests have no name: their own advice comes first, the name follows.
TEST(ScreenReport, ATestsOwnAdviceMayComeBeforeAName) {
  ExerciseResult result = MadeUpResult();
  result.tests[2].next_step = result.next_step = "Which lane stores it?";
  const std::string report = Report(result, kScreen);
  EXPECT_NE(report.find("Do this first\n  Which lane stores it?\n"), std::string::npos) << report;
  EXPECT_NE(report.find("  After that: The load is not checked\n"), std::string::npos) << report;
  EXPECT_LT(report.find("FAIL  many elements"), report.find("FAIL  three elements")) << report;
}

TEST(ScreenReport, APassTellsOfAWarning) {
  ExerciseResult result = MadeUpResult();
  result.verdict = Verdict::kPassed;
  result.diagnostics.clear();
  result.misconceptions.clear();
  result.tests = {result.tests[0], result.tests[1]};
  result.tests[1].verdict = Verdict::kPassed;
  result.tests[1].wrong.clear();
  result.tests[1].findings.erase(result.tests[1].findings.begin());
  const std::string report = Report(result, kScreen);
  EXPECT_NE(report.find("\nRight, and still worth a look\n  scale.cu:3 | tile[j] = 0;\n    warning: race\n"),
            std::string::npos)
      << report;
  EXPECT_NE(report.find("nothing orders them"), std::string::npos) << report;
}

/// As starters and handouts say it, and not "62 %".
TEST(FullReport, AnOccupancyOfFiveEighthsIsNotRounded) {
  ExerciseResult result = MadeUpResult();
  result.tests[1].launches[0].occupancy = 0.625;
  EXPECT_NE(Report(result, kPlain).find(", occupancy 62.5 % ("), std::string::npos);
  result.tests[1].launches[0].occupancy = 1.0 / 3;
  EXPECT_NE(Report(result, kPlain).find(", occupancy 33.3 % ("), std::string::npos);
}

TEST(ScreenReport, NothingOfASubmissionReachesTheTerminalRaw) {
  ExerciseResult result = MadeUpResult();
  SetAll(result, "\x1b[2J");
  EXPECT_EQ(Report(result, kScreen).find('\x1b'), std::string::npos);
}

TEST(GccReport, HasALineForEachPlaceThatAnEditorCanGoTo) {
  EXPECT_EQ(
      GccOf(MadeUpResult()),
      "mine/scale.cu:3:7: warning: variable \"j\" is used before it is set\n"
      "mine/scale.cu:2:1: error: out of bounds read, 42 times, in 2 tests; reads past the end of x; kernel "
      "scale_kernel, block (0, 0), thread (3, 0)\n"
      "mine/scale.cu:3:1: warning: race; two threads meet at the same place and nothing orders them; shared "
      "array `tile`; the other access: mine/scale.cu:2 | y[i] = a * x[i];; kernel scale_kernel, block (0, "
      "0), "
      "thread (0, 0)\n"
      "mine/scale.cu:1:1: error: crashed: \"three elements\": the kernel read memory that is not its own. "
      "The "
      "load is not checked. Draw the vector. Which cells exist? (line 2)\n");
  ExerciseResult race = Advised(MadeUpResult());
  race.advice->finding->other = SourceLine{"mine/scale.cu", 5};
  EXPECT_NE(GccReport(race).find("Which cells exist? (line 2 and line 5)\n"), std::string::npos)
      << GccReport(race);
  race.misconceptions[0].title = "A sentence.";
  EXPECT_NE(GccReport(race).find("A sentence. Draw the vector."), std::string::npos) << GccReport(race);
  race.advice->finding.reset();
  EXPECT_NE(GccReport(race).find("Which cells exist?\n"), std::string::npos) << GccReport(race);
  ExerciseResult often = MadeUpResult();
  often.tests[1].findings[0].count = 4096;
  EXPECT_NE(GccReport(often).find("out of bounds read, 4,126 times, in 2 tests"), std::string::npos);
  ExerciseResult hostile = MadeUpResult();
  hostile.diagnostics[0].message = "two\nlines\x1b[2J";
  hostile.file = "a\nb.cu";
  hostile.misconceptions[0].message = "para\n\ngraph";
  const std::string report = GccOf(hostile);
  EXPECT_EQ(std::ranges::count(report, '\n'), 4) << report;
  EXPECT_EQ(report.find('\x1b'), std::string::npos);
  ExerciseResult passed;
  passed.verdict = Verdict::kPassed;
  EXPECT_EQ(GccOf(passed), "");
}

TEST(GccReport, SaysAnErrorOfTheCompilerOnceAndAtItsPlace) {
  ExerciseResult result;
  result.verdict = Verdict::kCompileError;
  result.file = std::string(200, 'd') + "/scale.cu";
  result.source = "int x;\n";
  const Diagnostic warning{Severity::kWarning, {result.file, 2}, 3, "variable \"j\" is never used"};
  const Diagnostic error{Severity::kError, {result.file, 7}, 5, "identifier \"k\" is undefined"};
  result.diagnostics = {warning, error};
  result.reason = say::in_line(7, error.message);
  const std::string both = result.file + ":2:3: warning: variable \"j\" is never used\n" + result.file +
                           ":7:5: error: identifier \"k\" is undefined\n";
  EXPECT_EQ(GccOf(result), both);
  result.next_step = "Declare k.";
  EXPECT_EQ(GccOf(result), both + result.file + ":7:5: error: compile error: Declare k.\n");
  // What no line of the compiler says is still said.
  result.next_step = "";
  result.reason = "The file defines main().";
  EXPECT_EQ(GccOf(result), both + result.file + ":1:1: error: compile error: The file defines main().\n");
  // Our own words for an error are in the line that they name.
  result.reason = say::in_line(4, "the semicolon is missing.");
  result.next_step = "Add it.";
  EXPECT_EQ(GccOf(result),
            both + result.file + ":4:1: error: compile error: line 4: the semicolon is missing. Add it.\n");
}

/// A submission writes #line before the lines with its faults.
TEST(TerminalReport, NamesTheFileAndNotWhatItCallsItself) {
  ExerciseResult result = MadeUpResult();
  result.source = "one\n#line 5 \"/etc/passwd\"\nthe third line\nthe fourth line\n";
  for (TestResult& test : result.tests) {
    for (Finding& finding : test.findings) finding.where = {"/etc/passwd", 5};
  }
  result.diagnostics[0].where = {"/etc/passwd", 6};
  const std::string report = Report(result, kPlain);
  EXPECT_EQ(report.find("passwd"), std::string::npos) << report;
  EXPECT_NE(report.find("scale.cu:3 | the third line"), std::string::npos) << report;
  EXPECT_NE(report.find("scale.cu:4"), std::string::npos) << report;
  const std::string gcc = GccOf(result);
  EXPECT_EQ(gcc.find("passwd"), std::string::npos) << gcc;
  EXPECT_NE(gcc.find("mine/scale.cu:3:1: error"), std::string::npos) << gcc;
  EXPECT_NE(gcc.find("mine/scale.cu:4:7: warning"), std::string::npos) << gcc;
  // What it does not claim is another file, and stays so.
  result.diagnostics[0].where = {"/usr/include/math.h", 6};
  EXPECT_NE(GccOf(result).find("/usr/include/math.h:6:7: warning"), std::string::npos);
}

/// What the specification of SARIF 2.1.0 asks of the members that are written, by its sections.
void ExpectSarif(const nlohmann::json& log) {
  EXPECT_EQ(log.at("version"), "2.1.0");                                                   // 3.13.2
  EXPECT_TRUE(log.at("$schema").get<std::string>().ends_with("sarif-schema-2.1.0.json"));  // 3.13.3
  ASSERT_EQ(log.at("runs").size(), 1u);                                                    // 3.13.4
  const nlohmann::json& run = log["runs"][0];
  const nlohmann::json& driver = run.at("tool").at("driver");  // 3.14.6, 3.18.2
  EXPECT_FALSE(driver.at("name").get<std::string>().empty());  // 3.19.8
  std::set<std::string> ids;
  for (const nlohmann::json& rule : driver.at("rules")) {                      // 3.19.23: unique
    EXPECT_TRUE(ids.insert(rule.at("id").get<std::string>()).second) << rule;  // 3.49.3
    EXPECT_TRUE(rule.at("shortDescription").at("text").is_string());           // 3.49.9
  }
  ASSERT_TRUE(run.at("results").is_array());  // 3.14.23
  for (const nlohmann::json& result : run["results"]) {
    const auto index = result.at("ruleIndex").get<std::size_t>();        // 3.27.6
    EXPECT_EQ(driver["rules"].at(index).at("id"), result.at("ruleId"));  // 3.27.5
    EXPECT_TRUE((std::set<std::string>{"none", "note", "warning", "error"})
                    .contains(result.at("level").get<std::string>()));         // 3.27.10
    EXPECT_FALSE(result.at("message").at("text").get<std::string>().empty());  // 3.27.11
    ASSERT_TRUE(result.at("locations").is_array());                            // 3.27.12
    for (const nlohmann::json& location : result["locations"]) {
      const nlohmann::json& place = location.at("physicalLocation");               // 3.28.3
      const auto uri = place.at("artifactLocation").at("uri").get<std::string>();  // 3.4.3: RFC 3986
      EXPECT_EQ(uri.find_first_not_of(
                    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~:/?#[]@!$&'()*+,;=%"),
                std::string::npos)
          << uri;
      EXPECT_GE(place.at("region").at("startLine").get<int>(), 1);  // 3.30.5
      EXPECT_GE(place["region"].at("startColumn").get<int>(), 1);   // 3.30.6
    }
  }
}

TEST(SarifReport, IsWhatTheSpecificationAsksFor) {
  ExerciseResult odd = MadeUpResult();
  odd.file = "/home/me/my answer: é%.cu";
  odd.misconceptions[0].message = "para\n\ngraph \x1b[2J \xff";
  const auto log = nlohmann::json::parse(SarifReport({MadeUpResult(), odd}, "1.2.3"));
  ExpectSarif(log);
  const nlohmann::json& results = log["runs"][0]["results"];
  ASSERT_EQ(results.size(), 8u);
  EXPECT_EQ(results[1]["ruleId"], "out_of_bounds");
  EXPECT_EQ(results[1]["level"], "error");
  EXPECT_EQ(results[1]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"], "mine/scale.cu");
  EXPECT_EQ(results[1]["locations"][0]["physicalLocation"]["region"]["startLine"], 2);
  EXPECT_EQ(results[7]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"],
            "file:///home/me/my%20answer%3A%20%C3%A9%25.cu");
  EXPECT_EQ(log["runs"][0]["tool"]["driver"]["version"], "1.2.3");
}

TEST(SarifReport, HasARunWithoutResultsWhereThereIsNothingToSay) {
  ExerciseResult passed;
  passed.verdict = Verdict::kPassed;
  const auto log = nlohmann::json::parse(SarifReport({passed}, "1"));
  ExpectSarif(log);
  EXPECT_TRUE(log["runs"][0]["results"].empty());
}

TEST(PrintableWords, AmountsAreGroupedAndWordsStayAsTheyAre) {
  const Message amounts(
      "made_up", "{1} of {2}, index {3}",
      {AsArgument(say::Number(2940)), AsArgument(say::Count(4096, "load")), AsArgument(say::Index(1600))});
  EXPECT_EQ(PrintableWords(amounts), "2,940 of 4,096 loads, index 1600");
  EXPECT_EQ(PrintableWords("2940 of 4096 loads\x1b[2J"), Printable("2940 of 4096 loads\x1b[2J"));
}

TEST(DetectTerminalStyle, ColumnsAreTheTerminalsOrTheEnvironments) {
  ::unsetenv("COLUMNS");
  EXPECT_EQ(DetectTerminalStyle(-1).columns, 80u);
  ::setenv("COLUMNS", "100", 1);
  EXPECT_EQ(DetectTerminalStyle(-1).columns, 100u);
  for (const char* nonsense : {"", "wide", "0", "-5", "99999999999999999999"}) {
    ::setenv("COLUMNS", nonsense, 1);
    EXPECT_EQ(DetectTerminalStyle(-1).columns, 80u) << nonsense;
  }
  ::unsetenv("COLUMNS");
}

TEST(DetectTerminalStyle, AFileGetsNoColour) {
  FILE* file = std::tmpfile();
  ASSERT_NE(file, nullptr);
  EXPECT_FALSE(DetectTerminalStyle(::fileno(file)).colour);
  std::fclose(file);
}

TEST(DetectTerminalStyle, NoColorIsRespected) {
  const int terminal = ::posix_openpt(O_RDWR | O_NOCTTY);
  ASSERT_GE(terminal, 0);
  ::unsetenv("NO_COLOR");
  ::setenv("TERM", "xterm", 1);
  EXPECT_TRUE(DetectTerminalStyle(terminal).colour);
  ::setenv("NO_COLOR", "1", 1);
  EXPECT_FALSE(DetectTerminalStyle(terminal).colour);
  ::setenv("NO_COLOR", "", 1);
  EXPECT_TRUE(DetectTerminalStyle(terminal).colour);
  ::setenv("TERM", "dumb", 1);
  EXPECT_FALSE(DetectTerminalStyle(terminal).colour);
  ::close(terminal);
}

}  // namespace
}  // namespace warplings
