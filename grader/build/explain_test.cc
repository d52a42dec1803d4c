// SPDX-License-Identifier: Apache-2.0
#include "grader/build/explain.h"

#include <gtest/gtest.h>

#include <chrono>
#include <csignal>

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
  return ExplainCompileFailure(output, ParseDiagnostics(output.compiler_output, {}), "", Example());
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
        "nvcc error   : 'ptxas' died due to signal 25 \n",
        "g++: fatal error: Killed signal terminated program cc1plus\n",
        "nvcc error   : 'cicc' died due to signal 9 \n"}) {
    EXPECT_EQ(Explain(Failed(text)).verdict, Verdict::kMemoryLimit) << text;
  }
}

TEST(Explain, LimitsOfTheWholeCompilation) {
  CompileOutput killed = Failed("", Kind::kSignalled);
  killed.end.code = SIGKILL;
  EXPECT_EQ(Explain(killed).verdict, Verdict::kMemoryLimit);
  EXPECT_EQ(Explain(Failed("", Kind::kTimeLimit)).verdict, Verdict::kTimeLimit);
  EXPECT_EQ(Explain(Failed("", Kind::kTotalTime)).verdict, Verdict::kTimeLimit);
  EXPECT_NE(
      English(Explain(Failed("", Kind::kTotalTime)).reason).find("45 s of processor time that all its steps"),
      std::string::npos);
  BuildFault flood = Explain(Failed("a.cu(1): error: one\n", Kind::kOutputLimit));
  EXPECT_EQ(flood.verdict, Verdict::kCompileError);
  EXPECT_EQ(English(flood.next_step), "Fix the first error: line 1: one");
}

TEST(Explain, TheFirstErrorNotTheFirstWarning) {
  BuildFault fault = Explain(Failed("a.cu(1): warning #1-D: w\na.cu(2): error: e\na.cu(3): error: later\n"));
  EXPECT_EQ(English(fault.reason), "line 2: e");
}

TEST(Explain, OnlyTheEntrysOwnDeclarationIsComparedWithTheContract) {
  const auto explain = [](const std::string& errors, const char* source) {
    const CompileOutput output = Failed(errors);
    return ExplainCompileFailure(output, ParseDiagnostics(errors, {{"a.cu", "a.cu"}}, source), source,
                                 Example());
  };
  const char* differs = "a.cu(1): error: cannot overload functions distinguished by return type alone\n";
  EXPECT_EQ(English(explain(differs, "int f(int) { return 1; }\n").next_step),
            "Define exactly: void f(int);");
  EXPECT_EQ(English(explain(differs, "int g(int) { return 1; }\n").next_step), "") << "another function's";
  const BuildFault index = explain(
      "a.cu(1): error: cannot determine which instance of overloaded function \"index\" is intended\n",
      "void f(int n) { index = n; }\n");
  EXPECT_EQ(English(index.reason),
            "line 1: index is not declared here as a variable. The compiler knows a library function of that "
            "name.");
  EXPECT_TRUE(English(index.next_step).starts_with("Write its type"));
  EXPECT_EQ(
      English(
          explain("a.cu(1): error: no instance of overloaded function \"max\" matches the argument list\n",
                  "void f(int n) { max(n); }\n")
              .next_step),
      "");
}

TEST(Explain, ACompilerThatDiesWithoutAMessage) {
  BuildFault fault = Explain(Failed("Segmentation fault\nmore\n"));
  EXPECT_EQ(fault.verdict, Verdict::kCompileError);
  EXPECT_EQ(English(fault.reason), "The compiler failed: Segmentation fault");
}

TEST(Explain, NamesOfTheLinker) {
  BuildFault fault = ExplainLinkFailure(
      "/usr/bin/ld: student.o: in function `_Z1fi':\nx.cpp:(.text+0x38): undefined reference to `_Z1gi'\n"
      "/usr/bin/ld: x.cpp:(.text+0x40): undefined reference to `_Z1gi'\n"
      "collect2: error: ld returned 1 exit status\n");
  EXPECT_EQ(English(fault.reason), "Used and declared, but defined nowhere: g(int).");
  fault = ExplainLinkFailure(
      "/usr/bin/ld: a.o: in function `h': multiple definition of `h'; b.o: first defined here\n");
  EXPECT_EQ(English(fault.reason), "Defined a second time: h.");
  EXPECT_EQ(English(ExplainLinkFailure("collect2: fatal error: ld terminated").reason),
            "The linker failed: collect2: fatal error: ld terminated");
}

TEST(Explain, AThreadsIndexInHostCode) {
  const BuildFault fault = ExplainLinkFailure(
      "/usr/bin/ld: a.o: in function `f()':\nx.cpp:(.text+0x88): undefined reference to "
      "`__device_builtin_variable_threadIdx'\ncollect2: error: ld returned 1 exit status\n");
  EXPECT_EQ(English(fault.reason), "threadIdx is used in host code, which has no threads of a block.");
  EXPECT_EQ(English(fault.next_step),
            "Write __global__ before a kernel, or __device__ before a kernel's helper.");
}

TEST(Explain, ManyNamesAreCounted) {
  std::string output;
  const auto reason = [&] { return English(ExplainLinkFailure(output).reason); };
  const char* expected[] = {
      "a.", "a and b.", "a, b and c.", "a, b, c and d.", "a, b, c, d and 1 more.", "a, b, c, d and 2 more."};
  for (char name = 'a'; name <= 'f'; ++name) {
    output += std::string("x.cpp: undefined reference to `") + name + "'\n";
    EXPECT_EQ(reason(), std::string("Used and declared, but defined nowhere: ") + expected[name - 'a']);
  }
}

TEST(Explain, NamesOfGigabytesAreShownInBrief) {
  // Each "S_IS0_S0_E" repeats all that stands before it twice.
  std::string bomb = "_Z1g1AIiiES_IS0_S0_ES_IS1_S1_ES_IS2_S2_E";
  for (char c = '3'; c <= '9'; ++c) bomb += std::string("S_IS") + c + "_S" + c + "_E";
  for (char c = 'A'; c <= 'O'; ++c) bomb += std::string("S_IS") + c + "_S" + c + "_E";
  CompileOutput output;
  output.symbols_of_entry = "_Z1fi U         \n";
  output.symbols_of_source = "_Z1fi T 0 1\n" + bomb + " w         \n";
  auto fault = FindSymbolFault(output, "", Example());
  ASSERT_TRUE(fault);
  EXPECT_EQ(fault->verdict, Verdict::kForbiddenSymbol);
  EXPECT_LT(English(fault->reason).size(), 400u);
  output.linker_output = "undefined reference to `" + bomb + "'\n";
  EXPECT_LT(English(ExplainLinkFailure(output.linker_output).reason).size(), 400u);
}

TEST(Explain, AFloodOfForbiddenNamesIsNotLookedForInTheSource) {
  CompileOutput output;
  output.symbols_of_entry = "_Z1fi U         \n";
  output.symbols_of_source = "_Z1fi T 0 1\n";
  std::string source = "void f(int) {\n";
  for (int i = 0; i < 20000; ++i) {
    output.symbols_of_source += "name" + std::to_string(i) + " U         \n";
    source += "x(1);";
  }
  const auto start = std::chrono::steady_clock::now();
  const auto fault = FindSymbolFault(output, source + "\nname3(); name2(); }", Example());
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(5));
  ASSERT_TRUE(fault);
  EXPECT_EQ(English(fault->reason),
            "line 3: submissions may not use name2, name3, name0, name1 and 19996 more.");
}

TEST(Explain, ForbiddenNamesDoNotHideBehindAFlood) {
  CompileOutput output;
  output.symbols_of_entry = "_Z1fi U         \n";
  output.symbols_of_source = "_Z1fi T 0 1\n";
  output.symbols_are_cut = true;
  auto fault = FindSymbolFault(output, "", Example());
  ASSERT_TRUE(fault);
  EXPECT_EQ(fault->verdict, Verdict::kCompileError);
}

TEST(Explain, WhatAFileOfOursLacksIsMissingOfOurs) {
  CompileOutput probe;
  probe.symbols_of_entry = "_Z1gi U         \n";
  probe.linker_output = "x.cpp:(.text+0x38): undefined reference to `_Z1gi'\n";
  EXPECT_EQ(FindMissingOfOurs(probe), "");
  probe.linker_output +=
      "/usr/bin/ld: runtime.cc:(.text+0x4): undefined reference to `_ZN9warplings4CallEi'\n";
  EXPECT_EQ(FindMissingOfOurs(probe), "_ZN9warplings4CallEi");
}

TEST(Explain, SymbolsShowAStaticEntry) {
  CompileOutput output;
  output.symbols_of_entry = "_Z1fi U         \n";
  output.symbols_of_source = "_ZL1fi t 0 1\n";
  auto fault = FindSymbolFault(output, "", Example());
  ASSERT_TRUE(fault);
  EXPECT_EQ(fault->verdict, Verdict::kMissingEntry);
  EXPECT_NE(English(fault->reason).find("found static f(int)"), std::string::npos) << fault->reason;
  output.symbols_of_source = "f T 0 1\n";
  fault = FindSymbolFault(output, "", Example());
  ASSERT_TRUE(fault);
  EXPECT_NE(English(fault->reason).find("extern \"C\" f"), std::string::npos) << fault->reason;
  output.symbols_of_source = "_Z1fi T 0 1\n";
  EXPECT_FALSE(FindSymbolFault(output, "", Example()));
}

}  // namespace
}  // namespace warplings
