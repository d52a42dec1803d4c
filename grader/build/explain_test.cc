// SPDX-License-Identifier: Apache-2.0
#include "grader/build/explain.h"

#include <gtest/gtest.h>

namespace warplings {
namespace {

using Kind = sandbox::ProgramEnd::Kind;
using Stage = CompileOutput::Stage;

Exercise Example() {
  Exercise exercise;
  exercise.entry = "f";
  exercise.declaration = "void f(int);";
  return exercise;
}

CompileOutput Failed(std::string compiler_output, Kind kind = Kind::kExited) {
  CompileOutput output;
  output.failed_in = Stage::kCompile;
  output.end = {kind, 1};
  output.compiler_output = std::move(compiler_output);
  return output;
}

BuildFault Explain(const CompileOutput& output) {
  return ExplainCompileFailure(output, ParseDiagnostics(output.compiler_output, {}), Example());
}

TEST(Explain, LimitsThatStruckInsideNvcc) {
  for (const char* text :
       {"g++: internal compiler error: CPU time limit exceeded signal terminated program cc1plus\n",
        "nvcc error   : 'cicc' died due to signal 24 \n"}) {
    EXPECT_EQ(Explain(Failed(text)).verdict, Verdict::kTimeLimit) << text;
  }
  for (const char* text :
       {"cc1plus: out of memory allocating 65536 bytes after a total of 1 bytes\n",
        "virtual memory exhausted: Cannot allocate memory\n",
        "g++: internal compiler error: File size limit exceeded signal terminated program cc1plus\n",
        "a.cu:3: fatal error: error writing to /tmp/x: No space left on device\n",
        "nvcc error   : 'ptxas' died due to signal 25 \n"}) {
    EXPECT_EQ(Explain(Failed(text)).verdict, Verdict::kMemoryLimit) << text;
  }
}

TEST(Explain, LimitsOfTheWholeCompilation) {
  EXPECT_EQ(Explain(Failed("", Kind::kTimeLimit)).verdict, Verdict::kTimeLimit);
  BuildFault flood = Explain(Failed("a.cu(1): error: one\n", Kind::kOutputLimit));
  EXPECT_EQ(flood.verdict, Verdict::kCompileError);
  EXPECT_EQ(flood.next_step, "Mend the first: line 1: one");
}

TEST(Explain, TheFirstErrorNotTheFirstWarning) {
  BuildFault fault = Explain(Failed("a.cu(1): warning #1-D: w\na.cu(2): error: e\na.cu(3): error: later\n"));
  EXPECT_EQ(fault.reason, "line 2: e");
}

TEST(Explain, ACompilerThatDiesWithoutAMessage) {
  BuildFault fault = Explain(Failed("Segmentation fault\nmore\n"));
  EXPECT_EQ(fault.verdict, Verdict::kCompileError);
  EXPECT_EQ(fault.reason, "The compiler failed: Segmentation fault");
}

TEST(Explain, NamesOfTheLinker) {
  BuildFault fault = ExplainLinkFailure(
      "/usr/bin/ld: student.o: in function `f(int)':\nx.cpp:(.text+0x38): undefined reference to `g(int)'\n"
      "/usr/bin/ld: x.cpp:(.text+0x40): undefined reference to `g(int)'\n"
      "collect2: error: ld returned 1 exit status\n");
  EXPECT_EQ(fault.reason, "Used and declared, but defined nowhere: g(int).");
  fault = ExplainLinkFailure(
      "/usr/bin/ld: a.o: in function `h': multiple definition of `h'; b.o: first defined here\n");
  EXPECT_EQ(fault.reason, "Defined a second time: h.");
  EXPECT_EQ(ExplainLinkFailure("collect2: fatal error: ld terminated").reason,
            "The linker failed: collect2: fatal error: ld terminated");
}

TEST(Explain, WhatTheSubmissionDoesNotUseIsMissingOfOurs) {
  CompileOutput output;
  output.symbols_of_source = "_Z1gi U         \ncudaFree U         \n";
  output.linker_output = "x.cpp:(.text+0x38): undefined reference to `g(int)'\n";
  EXPECT_EQ(FindMissingOfOurs(output), "");
  output.linker_output +=
      "/usr/bin/ld: runtime.cc:(.text+0x4): undefined reference to `warplings::Call(int)'\n";
  EXPECT_EQ(FindMissingOfOurs(output), "warplings::Call(int)");
  output.symbols_of_source += "_ZZZZ U         \n";
  EXPECT_EQ(FindMissingOfOurs(output), "") << "who knows what that is";
}

TEST(Explain, SymbolsShowAStaticEntry) {
  CompileOutput output;
  output.symbols_of_entry = "_Z1fi U         \n";
  output.symbols_of_source = "_ZL1fi t 0 1\n";
  auto fault = FindSymbolFault(output, Example());
  ASSERT_TRUE(fault);
  EXPECT_EQ(fault->verdict, Verdict::kMissingEntry);
  EXPECT_NE(fault->reason.find("found static f(int)"), std::string::npos) << fault->reason;
  output.symbols_of_source = "f T 0 1\n";
  fault = FindSymbolFault(output, Example());
  ASSERT_TRUE(fault);
  EXPECT_NE(fault->reason.find("extern \"C\" f"), std::string::npos) << fault->reason;
  output.symbols_of_source = "_Z1fi T 0 1\n";
  EXPECT_FALSE(FindSymbolFault(output, Example()));
}

}  // namespace
}  // namespace warplings
