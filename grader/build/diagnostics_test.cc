// SPDX-License-Identifier: Apache-2.0
#include "grader/build/diagnostics.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "grader/messages/build.h"

namespace warplings {
namespace {

const PathNames kNames = {{"/submission/t.cu", "my/t.cu"}, {"/contract/t.h", "chapters/01/t.h"}};

Diagnostic One(std::string_view text) {
  auto found = ParseDiagnostics(text, kNames);
  EXPECT_EQ(found.size(), 1u) << text;
  return found.empty() ? Diagnostic{} : found[0];
}

TEST(Diagnostics, ReadsTheFrontEnds) {
  Diagnostic found =
      One("/submission/t.cu(12): error: identifier \"x\" is undefined\n  int y = x;\n          ^\n\n"
          "1 error detected in the compilation of \"/submission/t.cu\".\n");
  EXPECT_EQ(found.severity, Severity::kError);
  EXPECT_EQ(found.where, (SourceLine{"my/t.cu", 12}));
  EXPECT_EQ(found.message, "identifier \"x\" is undefined");
}

TEST(Diagnostics, ReadsNumberedWarnings) {
  Diagnostic found =
      One("/submission/t.cu(3): warning #177-D: variable \"a\" was declared but never referenced\n");
  EXPECT_EQ(found.severity, Severity::kWarning);
  EXPECT_EQ(found.message, "variable \"a\" was declared but never referenced");
}

TEST(Diagnostics, CompletesTheSentenceAboutArguments) {
  Diagnostic found =
      One("/submission/t.cu(4): error: no instance of overloaded function \"f\" matches the argument list\n"
          "            argument types are: (int, int)\n    f(1, 2);\n    ^\n\n");
  EXPECT_EQ(
      found.message,
      "no instance of overloaded function \"f\" matches the argument list; argument types are: (int, int)");
}

TEST(Diagnostics, BlamesTheLineThatInstantiatedAHeader) {
  Diagnostic found = One(
      "/usr/include/c++/12/bits/x.h(45): error: no operator \"<\" matches these operands\n"
      "            operand types are: S < S\n        { return *__it1 < *__it2; }\n                        ^\n"
      "          detected during:\n"
      "            instantiation of \"void std::f(T)\" at line 233 of /usr/include/c++/12/bits/y.h\n"
      "            instantiation of \"void std::sort(T)\" at line 3 of /submission/t.cu\n\n");
  EXPECT_EQ(found.where, (SourceLine{"my/t.cu", 3}));
  EXPECT_EQ(
      English(found.message),
      "in /usr/include/c++/12/bits/x.h, line 45: no operator \"<\" matches these operands; operand types "
      "are: S < S");
}

/// As g++ 13's <algorithm> makes cudafe++ say, twice, without any line of the student's.
TEST(Diagnostics, WarningsOfSystemHeadersAreLeftOut) {
  const std::string place = "/usr/include/c++/13/pstl/glue_algorithm_defs.h(25): ";
  const std::string words = ": GNU attributes on a template redeclaration have no effect\n";
  EXPECT_TRUE(ParseDiagnostics(place + "warning #1097-D" + words, kNames).empty());
  EXPECT_EQ(One(place + "error" + words).severity, Severity::kError) << "without it nothing is compiled";
  EXPECT_EQ(One("/contract/t.h(5): warning #1097-D" + words).where.line, 5);
  EXPECT_EQ(One("/submission/own.h(5): warning #1097-D" + words).where.line, 5);
  EXPECT_EQ(One("own.h(5): warning #1097-D" + words).where.line, 5);
  EXPECT_EQ(One(place + "warning #1097-D" + words +
                "          detected during instantiation of \"void f(T)\" at line 3 of /submission/t.cu\n\n")
                .where,
            (SourceLine{"my/t.cu", 3}));
}

TEST(Diagnostics, ReadsGccWithItsColumn) {
  Diagnostic found =
      One("/submission/t.cu:1:10: fatal error: nofile.h: No such file or directory\n"
          "    1 | #include \"nofile.h\"\n      |          ^~~~~~~~~~\ncompilation terminated.\n");
  EXPECT_EQ(found.where, (SourceLine{"my/t.cu", 1}));
  EXPECT_EQ(found.column, 10);
  EXPECT_EQ(found.message, "nofile.h: No such file or directory");
}

TEST(Diagnostics, ReadsTheAssembler) {
  Diagnostic found = One(
      "/submission/t.cu: Assembler messages:\n/submission/t.cu:7: Error: no such instruction: `nonsense'\n");
  EXPECT_EQ(found.where, (SourceLine{"my/t.cu", 7}));
  EXPECT_EQ(found.severity, Severity::kError);
}

TEST(Diagnostics, ReadsPtxas) {
  EXPECT_EQ(English(One("ptxas error   : Entry function '_Z1kPf' uses too much shared data (0x13880 bytes, "
                        "0xc000 max)\n")
                        .message),
            "ptxas says: Entry function 'k(float*)' uses too much shared data (0x13880 bytes, 0xc000 max)");
  EXPECT_EQ(
      English(One("ptxas /tmp/tmpxft_1-6_e.ptx, line 29; error   : Unknown modifier '.instr'\n").message),
      "ptxas says: Unknown modifier '.instr'");
  EXPECT_EQ(English(One("ptxas fatal   : Unresolved extern function '_Z5otheri'\n").message),
            "ptxas says: Unresolved extern function 'other(int)'");
}

TEST(Diagnostics, ReadsNvccAndTheEndOfTheSource) {
  EXPECT_EQ(English(One("nvcc fatal   : Unsupported gpu architecture 'compute_10'\n").message),
            "nvcc says: Unsupported gpu architecture 'compute_10'");
  Diagnostic end = One(
      "At end of source: error: expected a \"}\"\n/submission/t.cu(1): note #3196-D: to match this \"{\"\n");
  EXPECT_EQ(end.where.file, "my/t.cu");
  EXPECT_EQ(end.where.line, 0);
}

TEST(Diagnostics, AMissingSemicolonIsShownWhereItBelongs) {
  struct Example {
    const char *source, *printed;
    int line;
  };
  for (const Example& each :
       {Example{"int x = 1\n// a comment\n\n#define N 3\nint y = 2;\n",
                "/submission/t.cu(5): error: expected a \";\"\n  int y = 2;\n  ^\n\n", 1},
        Example{"struct S {}\n__global__ void k() {}\n",
                "/submission/t.cu(2): error: expected a \";\"\n  __attribute__((global)) void k() {}\n"
                "                          ^\n\n",
                1},
        Example{"int x;\nint y 2;\n",
                "/submission/t.cu(2): error: expected a \";\"\n  int y 2;\n        ^\n\n", 2},
        Example{"", "/submission/t.cu(1): error: expected a \";\"\n  int\n  ^\n\n", 1}}) {
    const auto found = ParseDiagnostics(each.printed, kNames, each.source);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].where.line, each.line) << each.source;
    EXPECT_NE(English(found[0].message).find("expected a \";\""), std::string::npos);
  }
  const auto before = [](const std::string& quoted, std::size_t caret) {
    const auto found = ParseDiagnostics(
        "/submission/t.cu(1): error: expected a \";\"\n" + quoted + "\n" + std::string(caret, ' ') + "^\n\n",
        kNames, "void k() { f() }\n");
    return say::semicolon_missing_before_brace.Made(found.at(0).message) && found.at(0).where.line == 1;
  };
  EXPECT_TRUE(before("  void k() { f() }", 17));
  EXPECT_TRUE(before("  __attribute__((global)) void k() { f() }", 41));
  EXPECT_FALSE(before("  void k() { f() g(); }", 17));
  // What follows a `return` without its semicolon is taken for its value.
  for (const std::string words : {"type name is not allowed", "expected an expression"}) {
    const std::string printed = "/submission/t.cu(4): error: " + words + "\n    float sum = 0;\n    ^\n\n";
    const auto is_missing = [&](const std::string& above) {
      const auto found =
          ParseDiagnostics(printed, kNames, "void k() {\n" + above + "\n\nfloat sum = 0;\n}\n");
      return say::semicolon_missing.Made(found.at(0).message) && found.at(0).where.line == 2;
    };
    EXPECT_TRUE(is_missing("if (a) return"));
    EXPECT_FALSE(is_missing("if (a) return;"));
    EXPECT_FALSE(is_missing("f(a,"));
  }
}

TEST(Diagnostics, ABraceOnALineOfItsOwnLacksNoSemicolon) {
  const auto found = ParseDiagnostics("/submission/t.cu(2): error: expected a \";\"\n  {\n  ^\n\n", kNames,
                                      "void f()\n{\n}\n");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].where.line, 2);
  EXPECT_EQ(English(found[0].message), "expected a \";\"");
}

TEST(Diagnostics, AMissingBraceIsShownWhereItsPartnerIs) {
  const auto line = [](const std::string& source) {
    const auto found = ParseDiagnostics("At end of source: error: expected a \"}\"\n", kNames, source);
    EXPECT_EQ(found.size(), 1u);
    return found.empty() ? -1 : found[0].where.line;
  };
  const std::string rest = "void g(int n)\n{\n  f(n);\n}\n";
  EXPECT_EQ(line("void f(int n) {\n  n = 1;\n"), 1);
  EXPECT_EQ(line("void f(int n) {\n  n = 1;\n" + rest), 1);
  EXPECT_EQ(line("void f(int n) {\n  for (;;) {\n    if (n) {\n      n = 1;\n    }\n}\n" + rest), 2);
  EXPECT_EQ(line("void f(int n) {\n  for (;;) {\n    if (n) {\n      n = 1;\n  }\n}\n" + rest), 3);
  EXPECT_EQ(line("void f(int n)\n{\n  for (;;)\n  {\n    n = 1;\n}\n" + rest), 4);
  EXPECT_EQ(line("void f(int a,\n       int b) {\n  a = b;\n}\nvoid h() {\n  if (1) {\n}\n" + rest), 6);
  EXPECT_EQ(line("void f(int n) {\n  if (n) {\n  } else {\n    n = 1;\n}\n" + rest), 3);
  EXPECT_EQ(line("void f() {\n  // }\n  const char* s = \"}\";\n" + rest), 1);
  EXPECT_EQ(line("void f() {\n\tif (1) {\n        g();\n        }\n" + rest), 1) << "tabs and blanks";
  // Who can say which of these is meant?
  EXPECT_EQ(line("#ifdef A\nvoid f() {\n#else\nvoid f(int) {\n#endif\n" + rest), 0);
  EXPECT_EQ(line("#define BEGIN {\nvoid f() BEGIN\n" + rest), 0);
  EXPECT_EQ(line("void f() {\n}\n}\n"), 0);
  EXPECT_EQ(line("void f() { g(1'000'000'000, 0x1'f, '1', L'{'); }\n" + rest), 0);
  EXPECT_EQ(line(rest), 0);
  EXPECT_EQ(line(""), 0);
}

TEST(Diagnostics, SaysAMistakeOfBothPassesOnce) {
  std::string line =
      "/submission/t.cu(3): warning #177-D: variable \"a\" was declared but never referenced\n\n";
  EXPECT_EQ(ParseDiagnostics(line + line, kNames).size(), 1u);
}

TEST(Diagnostics, NamesTheContractByItsPath) {
  EXPECT_EQ(One("/contract/t.h(2): error: something\n").where.file, "chapters/01/t.h");
}

TEST(Diagnostics, RenamesPathsWithinOtherWords) {
  EXPECT_EQ(English(One("nvcc fatal   : Cannot open /submission/t.cu\n").message),
            "nvcc says: Cannot open my/t.cu");
}

TEST(Diagnostics, CutsAMessageThatFillsAScreen) {
  Diagnostic found = One("/submission/t.cu(1): error: " + std::string(5000, 'x') + "\n");
  EXPECT_LT(English(found.message).size(), 500u);
}

TEST(Diagnostics, SurvivesAnything) {
  for (const char* text :
       {"", "\n\n", "(", "):", "a(1): ", "a(99999999999999999999): error: x", ":1:2:3",
        "a:1:error:", "ptxas ", "nvcc : error", "error", "a(1): errors: x", " (1): error: indented"}) {
    ParseDiagnostics(text, kNames);
    ParseDiagnostics(text, {});
  }
  std::string flood;
  for (int i = 0; i < 5000; ++i) flood += "/submission/t.cu(" + std::to_string(i) + "): error: x\n";
  EXPECT_LE(ParseDiagnostics(flood, kNames).size(), 200u);
}

TEST(Diagnostics, DescribesInOneLine) {
  EXPECT_EQ(English(DescribeDiagnostic({Severity::kError, {"a.cu", 3}, 0, "x"})), "line 3: x");
  EXPECT_EQ(English(DescribeDiagnostic({Severity::kError, {}, 0, "ptxas says: x"})), "ptxas says: x");
}

}  // namespace
}  // namespace warplings
