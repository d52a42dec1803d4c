// SPDX-License-Identifier: Apache-2.0
// `warplings run`: programs of programs/, compiled by nvcc, from the command line to the exit status.
#include "tests/cli/cli_fixture.h"

namespace warplings::cli_test {
namespace {

const std::filesystem::path kPrograms = WARPLINGS_TEST_PROGRAMS;

class RunTest : public CliFixture {};

TEST_F(RunTest, AnOrdinaryProgramPrintsItsResult) {
  const ProgramRun run = Run({"run", kPrograms / "histogram", "5000"});
  EXPECT_EQ(run.out, "5000 values, 0 bins wrong, timed: yes\n");
  EXPECT_EQ(run.err, "");
  EXPECT_EQ(run.status, 0);
}

TEST_F(RunTest, OnAnotherCardToo) {
  const ProgramRun run = Run({"run", "--device", "virtual:h100", kPrograms / "histogram"});
  EXPECT_EQ(run.out, "1000 values, 0 bins wrong, timed: yes\n");
  EXPECT_EQ(run.status, 0) << run.err;
}

TEST_F(RunTest, AFindingIsToldOnStandardErrorAndFailsTheRun) {
  const ProgramRun run = Run({"run", kPrograms / "off_by_one"});
  EXPECT_EQ(run.out, "done\n");
  EXPECT_EQ(run.status, 1);
  for (const char* words :
       {"off_by_one.cu:7 | if (i <= n) numbers[i] = i;", "error: out of bounds write",
        "writes 4 bytes right past the end of", "kernel fill, block (0, 0, 0), thread (40, 0, 0)"}) {
    EXPECT_NE(run.err.find(words), std::string::npos) << "not said: " << words << "\n" << run.err;
  }
}

TEST_F(RunTest, FindingsAreTheSameEachTime) {
  EXPECT_EQ(Run({"run", kPrograms / "off_by_one"}).err, Run({"run", kPrograms / "off_by_one"}).err);
}

TEST_F(RunTest, AStaticRuntimeIsWrongUsageAndSaysHowToLink) {
  const ProgramRun run = Run({"run", kPrograms / "histogram_static"});
  EXPECT_EQ(run.status, 2);
  EXPECT_EQ(run.out, "");
  EXPECT_NE(run.err.find("is linked with the static CUDA runtime"), std::string::npos) << run.err;
  EXPECT_NE(run.err.find("nvcc -cudart shared"), std::string::npos) << run.err;
}

TEST_F(RunTest, WhatIsNoProgramIsNamed) {
  EXPECT_EQ(Run({"run", "/nowhere/a.out"}).status, 2);
  EXPECT_NE(Run({"run", "/nowhere/a.out"}).err.find("/nowhere/a.out"), std::string::npos);
  EXPECT_NE(Run({"run", "/bin/true"}).err.find("does not use the CUDA runtime"), std::string::npos);
  EXPECT_EQ(Run({"run"}).status, 2);
}

}  // namespace
}  // namespace warplings::cli_test
