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
#include "grader/messages/calls.h"
#include "grader/messages/findings.h"
#include "grader/messages/joining.h"
#include "grader/messages/judging.h"
#include "grader/report/result_words.h"
#include "grader/report/terminal_report.h"
#include "tests/support/made_up_result.h"

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
  const Message reads = say::reads(), writes = say::writes(), tile = say::shared_array("Mds");
  const say::Count four(4, "byte"), one(1, "byte");
  for (const Message& sentence : {
           say::in_line(23, say::of_size(say::right_past_end(reads, four, "M"), say::Count(36, "byte"))),
           say::in_line(7, say::of_size(say::before_start(say::atomically_updates(), one, four, tile),
                                        say::Count(1024, "byte"))),
           say::past_end(writes, four, four, say::an_allocation(say::Count(256, "byte"))),
           say::across_end(reads, four, say::argument(2)),
           say::misaligned_in(reads, four, 4, one, "M"),
           say::read_unwritten(four, tile),
           say::read_unwritten_memory(four, say::local_space()),
           say::deadlock(say::and_returned(say::threads_wait_at(32, 64, 9), 32)),
           say::deadlock(say::threads_wait_at_two(8, 64, 9, 56, 14)),
           say::deadlock_in_mask({8, "thread"}, 1, 24, say::at_line(26)),
           say::race_in_block(writes, tile, say::other_thread({3, 0, 0}), reads),
           say::race_same_instruction(say::atomically_updates(), "P", say::other_thread_of_warp({5, 0, 0}),
                                      writes),
           say::race_of_blocks_same_value(writes, "P", writes),
           say::written_past_end(say::Count(8, "byte"), "P", say::Count(256, "byte")),
           say::none_launched_and_wrong(say::some_are_wrong(9, say::Count(9, "element"), "P", "P[0][0]")),
           say::off_by_more_than_rounding("0.5", "1e-06"),
       }) {
    const std::string shown = PrintableWords(sentence);
    EXPECT_EQ(EnglishWords(shown), "") << sentence << "\n" << shown;
    EXPECT_NE(shown, English(sentence));
  }
  EXPECT_EQ(PrintableWords(
                say::in_line(1024, say::of_size(say::right_past_end(reads, say::Count(4096, "byte"), "M"),
                                                say::Count(36, "byte")))),
            "第 1024 行：讀取 4,096 位元組，位置緊接在 M 的結尾之後（共 36 位元組）");
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
  EXPECT_NE(report.find("未通過（異常終止）：3 項測試，通過 1 項；10 分中得 0 分\n"), std::string::npos)
      << report;
  EXPECT_NE(report.find("先做這個：The load is not checked\n"), std::string::npos) << "of chapter.toml";
  EXPECT_NE(report.find("錯誤：越界讀取，42 次，出現在 2 項測試\n"), std::string::npos) << report;
  EXPECT_NE(report.find("scale.cu:2 | y[i] = a * x[i];\n"), std::string::npos) << report;
}

TEST_F(InChinese, ATestsTitleIsInChineseQuotationMarks) {
  Message seen = say::of_test(std::string("Scale.One"), "x");
  seen.arguments().front().inner = {Message("one element")};
  EXPECT_EQ(PrintableWords(seen), "「one element」：x");
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
