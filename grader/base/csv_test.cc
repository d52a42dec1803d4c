// SPDX-License-Identifier: Apache-2.0
#include "grader/base/csv.h"

#include <gtest/gtest.h>

namespace warplings {
namespace {

TEST(CsvField, QuotesByRfc4180) {
  EXPECT_EQ(CsvField("plain"), "\"plain\"");
  EXPECT_EQ(CsvField(""), "\"\"");
  EXPECT_EQ(CsvField("a,b \"c\"\nd"), "\"a,b \"\"c\"\"\nd\"");
}

TEST(CsvField, NothingIsAFormula) {
  for (const char* text : {"=1+1", "+1", "-1", "@SUM(A1)", " =1+1", "'", "'=1"}) {
    EXPECT_EQ(CsvField(text), "\"'" + std::string(text) + "\"") << text;
  }
  // A tab or CR at the start counts, although it is not printed as such.
  EXPECT_EQ(CsvField("\t=1"), "\"'  =1\"");
  EXPECT_EQ(CsvField("\r=1"), "\"'\\x0d=1\"");
  for (const char* text : {"a=1", "1-2", "陳大文", " a", "--x"}) {
    EXPECT_EQ(CsvField(text).starts_with("\"'"), text[0] == '-') << text;
  }
}

TEST(CsvField, IsUtf8) {
  EXPECT_EQ(CsvField("caf\xe9\x1b"), "\"caf\\xe9\\x1b\"");
}

TEST(CsvValue, UndoesTheApostrophe) {
  for (const std::string text : {"=1+1", "'", "'=1", "plain", "", " -x", "it's"}) {
    const std::string field = CsvField(text);
    // What a reader makes of the quotes; there are none inside here.
    EXPECT_EQ(CsvValue(field.substr(1, field.size() - 2)), text);
  }
}

TEST(CsvNumber, ReadsBack) {
  EXPECT_EQ(CsvNumber(10), "10");
  EXPECT_EQ(CsvNumber(2.5), "2.5");
  EXPECT_EQ(CsvNumber(0.1 + 0.2), "0.30000000000000004");
  EXPECT_EQ(CsvLine({"a", "", "b"}), "a,,b\r\n");
}

TEST(CsvField, WhatNoSpreadsheetShowsIsCutWithAMark) {
  const std::string kept(32'000, 'x');
  EXPECT_EQ(CsvField(kept), "\"" + kept + "\"");
  EXPECT_EQ(CsvField(kept + "yz"), "\"" + kept + " [cut: 2 more bytes]\"");
  // Not in the middle of a character.
  const std::string chinese = std::string(31'999, 'x') + "陳大文";
  EXPECT_EQ(CsvField(chinese), "\"" + std::string(31'999, 'x') + " [cut: 9 more bytes]\"");
}

TEST(ParseCsv, ReadsWhatOthersWrite) {
  const auto table = ParseCsv("\xef\xbb\xbfName;\"ID\"\r\n\"a;\"\"b\"\"\nc\";1\n\nlast;");
  ASSERT_TRUE(table.ok());
  EXPECT_EQ(table->delimiter, ';');
  const std::vector<std::vector<std::string>> expected = {{"Name", "ID"}, {"a;\"b\"\nc", "1"}, {"last", ""}};
  EXPECT_EQ(table->rows, expected);
  EXPECT_EQ(table->lines, (std::vector<std::size_t>{1, 2, 5}));
  EXPECT_EQ(ParseCsv("a\tb\n")->delimiter, '\t');
  const auto excels = ParseCsv("\xef\xbb\xbfsep=;\r\na,b;c\r\n1;2\r\n");
  ASSERT_TRUE(excels.ok());
  EXPECT_EQ(excels->rows, (std::vector<std::vector<std::string>>{{"a,b", "c"}, {"1", "2"}}));
  EXPECT_EQ(excels->lines, (std::vector<std::size_t>{2, 3}));
  EXPECT_TRUE(ParseCsv("sep=,")->rows.empty());
  EXPECT_EQ(ParseCsv("a,b;c,d\r")->rows[0], (std::vector<std::string>{"a", "b;c", "d"}));
  EXPECT_TRUE(ParseCsv("")->rows.empty());
  EXPECT_FALSE(ParseCsv("a,\"b\nc").ok());
}

TEST(ParseCsv, ReadsBackWhatWeWrite) {
  const std::vector<std::string> texts = {"plain", "a,b \"c\"\nd", "=1+1", "'", ""};
  std::vector<std::string> fields;
  for (const std::string& text : texts) fields.push_back(CsvField(text));
  const auto table = ParseCsv(CsvLine(fields) + CsvLine(fields));
  ASSERT_EQ(table->rows.size(), 2u);
  for (std::size_t i = 0; i < texts.size(); ++i) EXPECT_EQ(CsvValue(table->rows[1][i]), texts[i]);
}

TEST(ParseCsv, AnotherEncodingIsNamed) {
  const auto fault = [](const std::string& text) {
    const auto table = ParseCsv(text);
    return table ? "no fault" : English(table.error().message);
  };
  EXPECT_EQ(fault(std::string("\xff\xfeN\0,\0", 6)), "the file is UTF-16, not UTF-8");
  EXPECT_EQ(fault("Name,ID\nAda,1\nGr\xfc\xdf,2\n"),
            "line 3 is not UTF-8; it may be Latin-1, as older spreadsheets write it");
  EXPECT_EQ(fault(std::string("PK\0\3", 4)), "the file is not text");
  EXPECT_EQ(fault("Name,ID\nGr\u00fc\u00df,2\n"), "no fault");
}

}  // namespace
}  // namespace warplings
