// SPDX-License-Identifier: Apache-2.0
// Reports in Traditional Chinese, with the workbook's own po file.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <regex>
#include <sstream>

#include "grader/base/catalogue.h"
#include "grader/base/text.h"
#include "grader/core/layout.h"
#include "grader/report/made_up_result.h"
#include "grader/report/prose.h"
#include "grader/report/terminal_report.h"

namespace warplings {
namespace {

/// Switches the program's language to Chinese for its lifetime.
class InChinese : public testing::Test {
 protected:
  void SetUp() override {
    const std::string file = ThisLayout().MessageFile("zh_Hant").string();
    std::ifstream stream(file, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
    auto catalogue = Catalogue::Parse(text, file);
    ASSERT_TRUE(catalogue.ok()) << catalogue.error().message;
    UseCatalogue(std::move(*catalogue));
  }
  void TearDown() override { UseCatalogue({}); }
};

/// English words in a text, without those that are said in Chinese, too, and names of the code.
std::string EnglishWords(const std::string& text) {
  static const std::regex word(
      "\\b(?!(warp|warps|lane|tile|kernel|sector|wavefront|float|volatile|ptxas)\\b)[a-z]{3,}\\b");
  std::string found;
  for (std::sregex_iterator each(text.begin(), text.end(), word), end; each != end; ++each) {
    found += each->str() + " ";
  }
  return found;
}

TEST_F(InChinese, WhatTheVirtualGpuSaysIsTranslatedWhole) {
  // As fault_reporter.cc, race_reports.cc and observed_call.cc compose them.
  for (
      const char* sentence : {
          "line 23: reads 4 bytes right past the end of M (36 bytes)",
          "line 7: atomically updates 1 byte starting 4 bytes before the start of shared array Mds (1024 "
          "bytes)",
          "writes 8 bytes 4 bytes past the end of an allocation of 256 bytes (256 bytes)",
          "reads 4 bytes across the end of argument 2 (6 bytes)",
          "writes 4 bytes through a null pointer",
          "reads 4 bytes at an address that belongs to no allocation (a host pointer?)",
          "reads 4 bytes of M after it was freed",
          "reads 16 bytes at once at an address that is not a multiple of 16: 4 bytes into M",
          "reads 4 bytes of shared array Nds that nobody has written",
          "reads 4 bytes of local memory that nobody has written",
          "only 16 of the 32 threads of warp 0 reach this barrier: it stands in code that some threads skip",
          "threads of one block meet at two different barriers: from here on they are out of step",
          "20 of the block's 256 threads have returned before this barrier; since compute capability 7.0 the "
          "barrier does without them, before that it counted whole warps",
          "nobody can go on: 32 of 64 threads wait at line 9, 32 have returned",
          "nobody can go on: 8 of 64 threads wait at line 9, 56 at line 14",
          "nobody can go on: 8 threads of warp 1 wait here for all that the instruction's mask names, and 24 "
          "others of the warp wait at line 26",
          "writes an element of shared array Mds that warp 3 reads with no barrier between the two",
          "atomically updates an element of P that lane 5 of the same warp writes with the same instruction, "
          "another value: which of them stays is not defined",
          "writes an element of P that another block writes, the same value each",
          "writes an element of P that other blocks read: nothing orders the blocks of one launch",
          "memory 8 bytes behind the end of P (256 bytes) was written",
          "3080 of 5046 loads are wrong, the first is that of block (1379, 1379), phase 0: m[9][0]",
          "no kernel was launched, and 9 of 9 elements of P are wrong, the first is P[0][0]",
          "off by 0.5, at most 1e-06 is rounding",
      }) {
    const std::string shown = Prose(sentence);
    EXPECT_EQ(EnglishWords(shown), "") << sentence << "\n" << shown;
    EXPECT_NE(shown, sentence);
  }
  EXPECT_EQ(Prose("line 1024: reads 4096 bytes right past the end of M (36 bytes)"),
            "第 1024 行：讀取 4,096 個位元組，緊接在 M（36 個位元組）的結尾之後");
}

TEST_F(InChinese, NoLineOfAReportIsTooWide) {
  const ExerciseResult result = report_test::MadeUpResult();
  for (const Detail detail : {Detail::kScreen, Detail::kVerbose}) {
    for (const std::size_t columns : {40u, 60u, 80u}) {
      std::istringstream report(
          TerminalReport(result, {.colour = false, .columns = columns, .detail = detail}));
      for (std::string line; std::getline(report, line);) EXPECT_LE(DisplayWidth(line), columns) << line;
    }
  }
}

TEST_F(InChinese, AReportSaysWhatHappenedInChinese) {
  const std::string report = TerminalReport(report_test::MadeUpResult(),
                                            {.colour = false, .columns = 80, .detail = Detail::kScreen});
  EXPECT_NE(report.find("未通過（當掉）：3 項測試，通過 1 項；10 分中得 0 分\n"), std::string::npos)
      << report;
  EXPECT_NE(report.find("先做這個：The load is not checked\n"), std::string::npos) << "of chapter.toml";
  EXPECT_NE(report.find("錯誤：越界讀取，42 次，出現在 2 項測試\n"), std::string::npos) << report;
  EXPECT_NE(report.find("scale.cu:2 | y[i] = a * x[i];\n"), std::string::npos) << report;
}

TEST_F(InChinese, WhatASubmissionPrintsIsNotTranslated) {
  ExerciseResult result = report_test::MadeUpResult();
  result.tests[1].printed = PrintedText{"PASSED\n", 0, 0};
  for (const Detail detail : {Detail::kScreen, Detail::kVerbose}) {
    const std::string report = TerminalReport(result, {.colour = false, .columns = 80, .detail = detail});
    EXPECT_NE(report.find("PASSED\n"), std::string::npos) << report;
  }
}

}  // namespace
}  // namespace warplings
