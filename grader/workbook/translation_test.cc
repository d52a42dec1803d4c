// SPDX-License-Identifier: Apache-2.0
#include "grader/workbook/translation.h"

#include <gtest/gtest.h>

#include "grader/workbook/chapter_file.h"

namespace warplings {
namespace {

constexpr const char* kEnglishChapter = R"(title = "First steps"
[[exercise]]
id = "vector_add"
title = "Add two vectors"
entry = "vector_add"
points = 5
hints = ["look", "look closer"]
starter_fails = ["VectorAdd.OneElement"]
[exercise.speed]
baseline = "one thread"
points = 1
[[exercise.misconception]]
id = "unguarded"
told_by = ["reads_outside"]
title = "No guard"
message = "The last block is not full."
)";

Chapter English() {
  auto chapter = ParseChapterFile(kEnglishChapter, "chapter.toml");
  EXPECT_TRUE(chapter.ok());
  return *chapter;
}

TEST(TranslationTest, TakesTheEnglishTextsPlace) {
  Chapter chapter = English();
  const Status status = TranslateChapter(chapter, R"(title = "第一步"
english = {title = "00000000"}
[[exercise]]
id = "vector_add"
title = "兩個向量相加"
contract = "// C = A + B。"
hints = ["看一看", "再看仔細"]
[exercise.speed]
baseline = "一個執行緒"
[[exercise.misconception]]
id = "unguarded"
title = "沒有檢查"
message = "最後一個區塊沒有滿。"
)",
                                         "t.toml");
  ASSERT_TRUE(status.ok()) << status.error().message;
  EXPECT_EQ(chapter.title, "第一步");
  const Exercise& exercise = chapter.exercises.at(0);
  EXPECT_EQ(exercise.title, "兩個向量相加");
  EXPECT_EQ(English().exercises.at(0).translated_contract, "");
  EXPECT_EQ(exercise.translated_contract, "// C = A + B。");
  EXPECT_EQ(exercise.hints, (std::vector<std::string>{"看一看", "再看仔細"}));
  EXPECT_EQ(exercise.speed->baseline, "一個執行緒");
  EXPECT_EQ(exercise.misconceptions.at(0).title, "沒有檢查");
  EXPECT_EQ(exercise.misconceptions.at(0).message, "最後一個區塊沒有滿。");
  EXPECT_EQ(exercise.points, 5);
}

TEST(TranslationTest, WhatIsMissingOrEmptyStaysEnglish) {
  Chapter chapter = English();
  ASSERT_TRUE(TranslateChapter(chapter, R"([[exercise]]
id = "vector_add"
title = ""
hints = ["看一看"]
[[exercise.misconception]]
id = "unguarded"
title = "沒有檢查"
)",
                               "t.toml")
                  .ok());
  const Exercise& exercise = chapter.exercises.at(0);
  EXPECT_EQ(chapter.title, "First steps");
  EXPECT_EQ(exercise.title, "Add two vectors");
  EXPECT_EQ(exercise.hints, (std::vector<std::string>{"看一看", "look closer"}));
  EXPECT_EQ(exercise.misconceptions.at(0).message, "The last block is not full.");
}

TEST(TranslationTest, WhatDoesNotExistInEnglishStopsNobody) {
  Chapter chapter = English();
  ASSERT_TRUE(TranslateChapter(chapter, R"([[exercise]]
id = "vector_add"
hints = ["一", "二", "三"]
[[exercise.misconception]]
id = "gone"
title = "不見了"
[[exercise]]
id = "another"
title = "另一題"
)",
                               "t.toml")
                  .ok());
  EXPECT_EQ(chapter.exercises.size(), 1u);
  EXPECT_EQ(chapter.exercises[0].hints.size(), 2u);
  EXPECT_EQ(chapter.exercises[0].misconceptions.size(), 1u);
}

TEST(TranslationTest, AFaultNamesFileAndLine) {
  struct Case {
    const char* text;
    const char* message;
  };
  for (const Case& c : std::initializer_list<Case>{
           {"title = ", "t.toml:1: not TOML: "},
           {"\ntitle = 3", "t.toml:2: a string is expected here"},
           {"exercise = 3", "t.toml:1: a list is expected here"},
           {"exercise = [3]", "t.toml:1: a table is expected here"},
           {"[[exercise]]\ntitle = 'x'", "t.toml:1: an id is missing"},
           {"[[exercise]]\nid = 'vector_add'\nhints = 'x'", "t.toml:3: a list is expected here"},
           {"[[exercise]]\nid = 'vector_add'\nspeed = 'x'", "t.toml:3: a table is expected here"},
           {"[[exercise]]\nid = 'vector_add'\nhints = [1]", "t.toml:3: a string is expected here"},
       }) {
    Chapter chapter = English();
    const Status status = TranslateChapter(chapter, c.text, "t.toml");
    ASSERT_FALSE(status.ok()) << c.text;
    EXPECT_EQ(status.error().blame, Blame::kUsage);
    EXPECT_EQ(English(status.error().message).substr(0, std::string(c.message).size()), c.message);
  }
}

}  // namespace
}  // namespace warplings
