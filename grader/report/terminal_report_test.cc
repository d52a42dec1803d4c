// SPDX-License-Identifier: Apache-2.0
#include "grader/report/terminal_report.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <sstream>

#include "grader/base/text.h"
#include "grader/report/made_up_result.h"

namespace warplings {
namespace {

using report_test::MadeUpResult;

constexpr TerminalStyle kPlain{.colour = false, .columns = 80, .verbose = false};

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
  const std::string report = TerminalReport(result, kPlain);
  EXPECT_NE(report.find("What memcheck saw on the card\n"
                        "  mine/scale.cu:2 | y[i] = a * x[i];\n"
                        "    error: out of bounds read, 12 times\n"
                        "      Invalid __global__ read of size 4 bytes\n"),
            std::string::npos)
      << report;
  EXPECT_NE(report.find("ncu did not run to its end\n  ncu is not installed\n"), std::string::npos) << report;
  EXPECT_NE(report.find("Nothing found by racecheck, synccheck.\n"), std::string::npos) << report;
  EXPECT_NE(report.find("Counts beside those that ncu measured, over all calls\n"
                        "  kernel        count                virtual GPU  ncu\n"
                        "  scale_kernel  global load sectors  1,024        1,030\n"),
            std::string::npos)
      << report;
}

TEST(TerminalReport, ShowsAFailureFromTestsToVerdict) {
  EXPECT_EQ(TerminalReport(MadeUpResult(), kPlain), R"(scale: Scale a vector
  mine/scale.cu, on virtual:a100

  mine/scale.cu:3:7: warning: variable "j" is used before it is set
      tile[j] = 0;
  pass  one element
  FAIL  three elements
        the kernel read memory that is not its own
              expected  yours
        y[1]  2.5       0      never written
        y[2]  -11.25    nan
        and 3 more, of 9 compared
  FAIL  many elements
        your host code crashed (segmentation fault)

What the virtual GPU saw
  mine/scale.cu:2 | y[i] = a * x[i];
    error: out of bounds read, 42 times, in 2 tests
      reads past the end of x
      kernel scale_kernel, block (0, 0, 0), thread (3, 0, 0)
  mine/scale.cu:3 | tile[j] = 0;
    warning: race
      two threads meet at the same place and nothing orders them
      shared array tile
      the other access: mine/scale.cu:2 | y[i] = a * x[i];
      kernel scale_kernel, block (0, 0, 0), thread (0, 0, 0)

Kernels, counted in "three elements"
  scale_kernel: 32 registers a thread, 2,048 bytes of shared memory a block
  (ptxas)
  scale_kernel: grid 2 x 2, block 16 x 16, occupancy 100 % (8 blocks an SM)
  38,400 instructions of threads, 1,200 of warps
  global loads: 256 sectors in 64 requests, 4.00 a request
  shared loads: 1.50 wavefronts and 0.50 bank conflicts a request, 512 requests

What the submission printed
  hello

Do this first
  The load is not checked
    Draw the vector. Which cells exist?
    Seen in: three elements
  Check the index before the load.

NOT PASSED (crashed)
  1 of 3 tests passed, 0 of 10 points; repeat with the same inputs: --seed 42
)");
}

TEST(TerminalReport, VerboseAddsCountsByLineAndTheCompilersText) {
  const std::string report =
      TerminalReport(MadeUpResult(), {.colour = false, .columns = 80, .verbose = true});
  EXPECT_NE(report.find(R"(
  line  instructions  global sectors  shared wavefronts  conflicts  source
  2     38,400        256             768                256        y[i] = a * x[i];
)"),
            std::string::npos)
      << report;
  EXPECT_NE(report.find("\nThe compiler's output\nscale.cu(3): warning\n"), std::string::npos) << report;
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
  EXPECT_EQ(TerminalReport(result, kPlain), R"(scale: Scale a vector
  mine/scale.cu, on virtual:a100

  pass  one element

PASSED
  1 of 1 test passed, 10 of 10 points; repeat with the same inputs: --seed 42
)");
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
  EXPECT_EQ(TerminalReport(result, kPlain), R"(scale: Scale a vector
  mine/scale.cu

  mine/scale.cu:1: error: identifier "y" is undefined
      int x = y;

Do this first
  Mend the first error; others often follow from it.

NOT PASSED (compile error): scale.cu does not compile
)");
}

TEST(TerminalReport, AMisconceptionIsToldOnce) {
  const std::string report = TerminalReport(MadeUpResult(), kPlain);
  const std::size_t first = report.find("The load is not checked");
  ASSERT_NE(first, std::string::npos);
  EXPECT_EQ(report.find("The load is not checked", first + 1), std::string::npos);
}

TEST(TerminalReport, ColourOnlyWhereAskedFor) {
  EXPECT_EQ(TerminalReport(MadeUpResult(), kPlain).find('\x1b'), std::string::npos);
  const std::string coloured =
      TerminalReport(MadeUpResult(), {.colour = true, .columns = 80, .verbose = false});
  EXPECT_NE(coloured.find("\x1b[31mFAIL\x1b[0m"), std::string::npos);
}

TEST(TerminalReport, ProseKeepsToTheWidth) {
  ExerciseResult result = MadeUpResult();
  result.misconceptions[0].message =
      std::string(40, 'a') + " " + std::string(30, 'b') + " " + std::string(20, 'c');
  std::istringstream lines(TerminalReport(result, {.colour = false, .columns = 50, .verbose = false}));
  for (std::string line; std::getline(lines, line);) {
    if (line.find_first_of("abc") != std::string::npos && line.find("bbb") != std::string::npos) {
      EXPECT_LE(DisplayWidth(line), 50u) << line;
    }
  }
}

TEST(TerminalReport, NothingOfASubmissionReachesTheTerminalRaw) {
  ExerciseResult result = MadeUpResult();
  for (std::string* text : {&result.student_output, &result.compiler_output, &result.source, &result.file,
                            &result.tests[1].wrong[0].actual, &result.tests[1].reason, &result.tests[1].title,
                            &result.tests[1].launches[0].kernel, &result.resources[0].kernel,
                            &result.diagnostics[0].message, &result.tests[1].findings[0].message}) {
    *text = "\x1b[2J";
  }
  EXPECT_EQ(TerminalReport(result, {.colour = false, .columns = 80, .verbose = true}).find('\x1b'),
            std::string::npos);
}

TEST(TerminalReport, AFloodOfOutputIsCut) {
  ExerciseResult result = MadeUpResult();
  result.student_output.clear();
  for (int i = 0; i < 1000; ++i) result.student_output += "line " + std::to_string(i) + "\n";
  const std::string report = TerminalReport(result, kPlain);
  EXPECT_NE(report.find("line 11\n"), std::string::npos);
  EXPECT_EQ(report.find("line 12\n"), std::string::npos);
  EXPECT_NE(report.find("and 988 more lines; --verbose shows them"), std::string::npos) << report;
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
