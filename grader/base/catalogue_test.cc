// SPDX-License-Identifier: Apache-2.0
#include "grader/base/catalogue.h"

#include <gtest/gtest.h>

namespace warplings {
namespace {

constexpr const char* kHead = "msgid \"\"\nmsgstr \"Language: zh_Hant\\n\"\n";

Catalogue Of(const std::string& entries) {
  auto catalogue = Catalogue::Parse(kHead + entries, "x.po");
  EXPECT_TRUE(catalogue.ok()) << catalogue.error().message;
  return catalogue.ok() ? *catalogue : Catalogue();
}

TEST(CatalogueTest, TranslatesWholeTexts) {
  const Catalogue catalogue =
      Of("\n# a comment\nmsgid \"Speed\"\nmsgstr \"速度\"\n\nmsgid \"\"\n\"two \"\n"
         "\"\\\"lines\\\"\\n\"\nmsgstr \"兩\"\n\"「行」\\n\"\n\nmsgid \"empty\"\nmsgstr \"\"\n");
  EXPECT_EQ(catalogue.Translate("Speed"), "速度");
  EXPECT_EQ(catalogue.Translate("two \"lines\"\n"), "兩「行」\n");
  EXPECT_EQ(catalogue.Translate("empty"), "empty");
  EXPECT_EQ(catalogue.Translate("Speeds"), "Speeds");
  EXPECT_EQ(catalogue.Translate(""), "") << "the head is no text";
  EXPECT_TRUE(catalogue.Has("Speed"));
  EXPECT_FALSE(catalogue.Has("empty"));
  EXPECT_FALSE(catalogue.Has("Speeds"));
}

TEST(CatalogueTest, FindsTextsByTheirPatterns) {
  const Catalogue catalogue = Of(R"(
msgid "{1:n} bytes"
msgstr "{1} 個位元組"

msgid "reads {1:t} of {2} after it was freed"
msgstr "{2} 已釋放，卻還讀取其中 {1}"

msgid "line {1:n}: {2:t}"
msgstr "第 {1} 行：{2}"

msgid "{1} of {2} passed"
msgstr "{2} 之中 {1} 通過"
)");
  EXPECT_EQ(catalogue.Translate("4 bytes"), "4 個位元組");
  EXPECT_EQ(catalogue.Translate("1,024 bytes"), "1,024 個位元組");
  EXPECT_EQ(catalogue.Translate("some bytes"), "some bytes") << "no number";
  EXPECT_EQ(catalogue.Translate("line 23: reads 4 bytes of 4 bytes after it was freed"),
            "第 23 行：4 bytes 已釋放，卻還讀取其中 4 個位元組")
      << "{2} is a name and stays as it is";
  EXPECT_EQ(catalogue.Translate("line 7: no such text"), "第 7 行：no such text");
  EXPECT_EQ(catalogue.Translate("3 of 4 passed"), "4 之中 3 通過");
  EXPECT_EQ(catalogue.Translate(" of 4 passed"), " of 4 passed") << "a placeholder stands for something";
  EXPECT_EQ(catalogue.Translate("3 of 4 passed."), "3 of 4 passed.");
}

TEST(CatalogueTest, ABlankBesideAPlaceholderIsForLatinValuesOnly) {
  const Catalogue catalogue = Of(
      "msgid \"reads\"\nmsgstr \"讀取\"\n\nmsgid \"{1:t} of {2:t} twice\"\nmsgstr \"把 {2} 的 {1} 兩次\"\n");
  EXPECT_EQ(catalogue.Translate("reads of M twice"), "把 M 的讀取兩次");
  EXPECT_EQ(catalogue.Translate("M of reads twice"), "把讀取的 M 兩次");
  EXPECT_EQ(Of("msgid \"see {1}\"\nmsgstr \"看 {1} （這裡）\"\n").Translate("see M"), "看 M（這裡）");
}

TEST(CatalogueTest, ThePatternWithMostWordsIsTaken) {
  const Catalogue catalogue = Of(R"(
msgid "{1} past the end of {2}"
msgstr "甲"

msgid "reads {1} past the end of {2}"
msgstr "乙 {2} {1}"
)");
  EXPECT_EQ(catalogue.Translate("reads 4 past the end of M"), "乙 M 4");
  EXPECT_EQ(catalogue.Translate("writes 4 past the end of M"), "甲");
}

TEST(CatalogueTest, SentencesOneBehindTheOtherHaveAnEntryEach) {
  const Catalogue catalogue = Of(R"(
msgid "{1} lacks {2}."
msgstr "{1} 少了 {2}。"

msgid "With {1}: {2:t}"
msgstr "{1} 時：{2}"

msgid "Does it run?"
msgstr "它執行了嗎？"

msgid "It is early. Does it run?"
msgstr "太早了。"
)");
  EXPECT_EQ(catalogue.Translate("P[0] lacks X[1]. P[1] lacks X[3]. Does it run?"),
            "P[0] 少了 X[1]。P[1] 少了 X[3]。它執行了嗎？");
  EXPECT_EQ(catalogue.Translate("With n = 3: P[0] lacks X[1]. P[1] lacks X[3]."),
            "n = 3 時：P[0] 少了 X[1]。P[1] 少了 X[3]。");
  EXPECT_EQ(catalogue.Translate("It is early. Does it run?"), "太早了。") << "an entry of both goes before";
  EXPECT_EQ(catalogue.Translate("Does it run? Nobody knows."), "Does it run? Nobody knows.")
      << "half of it would be read worse than none";
  EXPECT_EQ(catalogue.Translate("Does it run? "), "Does it run? ");
}

TEST(CatalogueTest, APatternThatStandsInItselfEnds) {
  const Catalogue catalogue = Of("msgid \"{1:t}, {2:t}\"\nmsgstr \"{1}、{2}\"\n");
  EXPECT_EQ(catalogue.Translate("a, b, c"), "a、b、c");
  std::string many = "a";
  for (int i = 0; i < 50; ++i) many += ", a";
  EXPECT_FALSE(catalogue.Translate(many).empty());
}

TEST(CatalogueTest, AFaultNamesFileAndLine) {
  for (const auto& [po, message] : std::initializer_list<std::pair<const char*, const char*>>{
           {"msgid \"a\"\n", "x.po:1: a msgstr is missing"},
           {"msgid \"a\"\nmsgid \"b\"\nmsgstr \"c\"\n", "x.po:2: a msgstr is missing"},
           {"msgstr \"a\"\n", "x.po:1: a msgid is missing"},
           {"msgid \"a\nmsgstr \"b\"\n", "x.po:1: neither"},
           {"msgid \"a\\q\"\nmsgstr \"b\"\n", "x.po:1: neither"},
           {"\nmsgctxt \"a\"\n", "x.po:2: neither"},
           {"msgid \"a\"\nmsgid_plural \"b\"\n", "x.po:2: neither"},
           {"msgid \"a {x}\"\nmsgstr \"b\"\n", "x.po:2: {x} is no placeholder"},
           {"msgid \"a {1\"\nmsgstr \"b\"\n", "x.po:2: {} is no placeholder"},
           {"msgid \"a {1}\"\nmsgstr \"b {2}\"\n", "x.po:2: the translation has a placeholder"},
           {"msgid \"a\"\nmsgstr \"b\"\nmsgid \"a\"\nmsgstr \"c\"\n", "x.po:4: is there twice: a"},
       }) {
    const auto catalogue = Catalogue::Parse(po, "x.po");
    ASSERT_FALSE(catalogue.ok()) << po;
    EXPECT_EQ(English(catalogue.error().message).substr(0, std::string(message).size()), message);
  }
}

TEST(CatalogueTest, WithoutOneAllIsEnglish) {
  EXPECT_EQ(Translated("Speed"), "Speed");
  UseCatalogue(Of("msgid \"Speed\"\nmsgstr \"速度\"\n"));
  EXPECT_EQ(Translated("Speed"), "速度");
  EXPECT_EQ(Translated("  Speed "), "  速度 ");
  EXPECT_EQ(Translated("  "), "  ");
  UseCatalogue({});
  EXPECT_EQ(Translated("Speed"), "Speed");
}

}  // namespace
}  // namespace warplings
