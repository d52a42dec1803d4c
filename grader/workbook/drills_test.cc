// SPDX-License-Identifier: Apache-2.0
#include "grader/workbook/drills.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "grader/core/layout.h"
#include "grader/workbook/exercise.h"

namespace warplings {
namespace {

constexpr const char* kDrills = R"([[drill]]
id = "blocks"
question = "How many blocks?"
answer = 1024
unit = "blocks"
check = "2 ** 10"
why = "Rounded up."
[[drill.wrong]]
answer = 1023
why = "Rounded down."
[[drill.wrong]]
answer = 0.5
check = "1 / 2"
why = "Divided the wrong way round."
[[drill]]
id = "who_waits"
question = "Who waits?"
choices = ["the warp", "the block", "the grid"]
answer = "the block"
why = "A barrier is of a block."
[[drill.wrong]]
answer = "the warp"
why = "Warps wait for each other."
[[drill.wrong]]
answer = "the grid"
why = "Blocks don't."
)";

std::vector<Drill> EnglishDrills() {
  auto drills = ParseDrills(kDrills, "drills.toml");
  EXPECT_TRUE(drills.ok()) << drills.error().message;
  return drills ? *drills : std::vector<Drill>(2);
}

DrillVerdict VerdictOf(const Drill& drill, const char* typed) {
  return JudgeDrill(drill, typed).verdict;
}

/// `chapters.py --add` writes it, and a number may have none.
TEST(DrillsTest, AUnitMayBeEmpty) {
  std::string text = kDrills;
  const std::string unit = "unit = \"blocks\"";
  text.replace(text.find(unit), unit.size(), "unit = \"\"");
  const auto drills = ParseDrills(text, "drills.toml");
  ASSERT_TRUE(drills.ok()) << drills.error().message;
  EXPECT_EQ((*drills)[0].unit, "");
}

TEST(DrillsTest, AreRead) {
  const std::vector<Drill> drills = EnglishDrills();
  ASSERT_EQ(drills.size(), 2u);
  EXPECT_EQ(drills[0].id, "blocks");
  EXPECT_EQ(drills[0].answer, 1024);
  EXPECT_EQ(drills[0].unit, "blocks");
  ASSERT_EQ(drills[0].wrong.size(), 2u);
  EXPECT_EQ(drills[0].wrong[1].answer, 0.5);
  EXPECT_EQ(drills[1].answer, 1) << "the second choice";
  EXPECT_EQ(drills[1].wrong[0].answer, 0);
}

TEST(DrillsTest, ANumberIsUnderstoodAsPeopleTypeIt) {
  const Drill drill = EnglishDrills()[0];
  for (const char* typed :
       {"1024", " 1,024\r", "1_024", "1024 blocks", "1024-way", "1024.0", "01024", "1024 個"}) {
    EXPECT_EQ(VerdictOf(drill, typed), DrillVerdict::kRight) << typed;
  }
  for (const char* typed : {"1023", "1025", "1,0,2,4 ", "0.5"}) {
    const DrillVerdict verdict = VerdictOf(drill, typed);
    EXPECT_NE(verdict, DrillVerdict::kRight) << typed;
  }
  for (const char* typed : {"", "blocks", "2^10", "1024/1", "1024 or 7", "10,24", "-1024", "1024.", "0x400",
                            "1e3", "1024 + 0", "1024,"}) {
    EXPECT_EQ(VerdictOf(drill, typed), DrillVerdict::kNotUnderstood) << typed;
  }
}

TEST(DrillsTest, ATypicalMistakeIsRecognised) {
  const Drill drill = EnglishDrills()[0];
  const DrillJudgement typical = JudgeDrill(drill, "1,023 blocks");
  EXPECT_EQ(typical.verdict, DrillVerdict::kWrong);
  ASSERT_NE(typical.mistake, nullptr);
  EXPECT_EQ(typical.mistake->why, "Rounded down.");
  EXPECT_EQ(JudgeDrill(drill, "7").mistake, nullptr);
  EXPECT_EQ(JudgeDrill(drill, "7").answer, 7);
  EXPECT_EQ(JudgeDrill(drill, "1024").mistake, nullptr);
}

TEST(DrillsTest, AChoiceIsALetterOrItsText) {
  const Drill drill = EnglishDrills()[1];
  for (const char* typed : {"b", "B", "b)", " the block ", "The Block"}) {
    EXPECT_EQ(VerdictOf(drill, typed), DrillVerdict::kRight) << typed;
  }
  ASSERT_NE(JudgeDrill(drill, "a").mistake, nullptr);
  for (const char* typed : {"", "d", "block", "1", "a b"}) {
    EXPECT_EQ(VerdictOf(drill, typed), DrillVerdict::kNotUnderstood) << typed;
  }
}

TEST(DrillsTest, AnAnswerIsShownWithItsUnit) {
  Drill drill = EnglishDrills()[0];
  EXPECT_EQ(DrillAnswerText(drill, 1024), "1024 blocks");
  EXPECT_EQ(DrillAnswerText(drill, 0.375), "0.375 blocks");
  EXPECT_EQ(DrillAnswerText(drill, 2147483648), "2147483648 blocks");
  EXPECT_EQ(DrillAnswerText(drill, 1), "1") << "not 1 blocks";
  drill.unit = "%";
  EXPECT_EQ(DrillAnswerText(drill, 1), "1 %");
  drill.unit = "";
  EXPECT_EQ(DrillAnswerText(drill, 32), "32");
  EXPECT_EQ(DrillAnswerText(EnglishDrills()[1], 2), "the grid");
}

TEST(DrillsTest, WrongFilesAreRefused) {
  const std::string good = kDrills;
  const auto refused = [&](const std::string& before, const std::string& after) {
    std::string text = good;
    const std::size_t at = text.find(before);
    EXPECT_NE(at, std::string::npos) << before;
    text.replace(at, before.size(), after);
    return !ParseDrills(text, "drills.toml").ok();
  };
  EXPECT_TRUE(refused("answer = 1023", "answer = 1024")) << "a mistake that is right";
  EXPECT_TRUE(refused("answer = 0.5", "answer = 1023")) << "a mistake that is there twice";
  EXPECT_TRUE(refused("answer = 1024", "answer = -1"));
  EXPECT_TRUE(refused("answer = 1024", "answer = \"1024\""));
  EXPECT_TRUE(refused("answer = \"the block\"", "answer = \"the lane\""));
  EXPECT_TRUE(refused("id = \"who_waits\"", "id = \"blocks\""));
  EXPECT_TRUE(refused("id = \"who_waits\"", "id = \"Who waits\""));
  EXPECT_TRUE(refused("why = \"Rounded up.\"\n", ""));
  EXPECT_TRUE(refused("check = \"2 ** 10\"", "checked = \"2 ** 10\""));
  EXPECT_TRUE(refused("[[drill.wrong]]\nanswer = 1023\nwhy = \"Rounded down.\"\n", ""))
      << "one mistake is too few";
  EXPECT_TRUE(refused("[[drill]]", "[[drills]]"));
}

TEST(DrillsTest, ATranslationTakesTheTextsPlace) {
  std::vector<Drill> drills = EnglishDrills();
  const Status status = TranslateDrills(drills, R"([[drill]]
id = "who_waits"
question = "誰在等？"
choices = ["warp", "區塊", ""]
why = "屏障屬於一個區塊。"
wrong = ["warp 會互相等待。"]
english = {question = "00000000"}
[[drill]]
id = "not_in_english"
question = "？"
)",
                                        "t.toml");
  ASSERT_TRUE(status.ok()) << status.error().message;
  EXPECT_EQ(drills[0].question, "How many blocks?");
  EXPECT_EQ(drills[1].choices, (std::vector<std::string>{"warp", "區塊", "the grid"}));
  EXPECT_EQ(drills[1].wrong[0].why, "warp 會互相等待。");
  EXPECT_EQ(drills[1].wrong[1].why, "Blocks don't.");
  for (const char* typed : {"b", "區塊", "the block"}) {
    EXPECT_EQ(VerdictOf(drills[1], typed), DrillVerdict::kRight) << typed;
  }
  EXPECT_FALSE(TranslateDrills(drills, "[[drill]]\nquestion = \"x\"\n", "t.toml").ok());
  EXPECT_FALSE(TranslateDrills(drills, "[[drill]]\nid = \"blocks\"\nwhy = 3\n", "t.toml").ok());
  EXPECT_FALSE(TranslateDrills(drills, "[[drill\n", "t.toml").ok());
}

TEST(DrillsTest, EachChapterHasTenWithIdsOfTheirOwn) {
  const std::filesystem::path root = ThisLayout().root;
  const auto workbook = LoadWorkbook(root);
  ASSERT_TRUE(workbook.ok());
  std::set<std::string> ids;
  for (const Chapter& chapter : workbook->chapters) {
    for (const char* language : {"en", "zh_Hant"}) {
      const auto drills = LoadDrills(root, chapter.id, language);
      ASSERT_TRUE(drills.ok()) << drills.error().message;
      EXPECT_EQ(drills->size(), 10u) << chapter.id;
      for (const Drill& drill : *drills) {
        const bool is_new = ids.insert(language + drill.id).second;
        EXPECT_TRUE(is_new) << drill.id << " is there twice";
        EXPECT_EQ(VerdictOf(drill, DrillAnswerText(drill, drill.answer).c_str()), DrillVerdict::kRight)
            << drill.id;
        for (const TypicalMistake& each : drill.wrong) {
          const DrillJudgement judgement = JudgeDrill(drill, DrillAnswerText(drill, each.answer));
          EXPECT_EQ(judgement.mistake, &each) << drill.id;
        }
      }
    }
  }
  EXPECT_TRUE(LoadDrills(root, "99_no_such_chapter")->empty());
}

}  // namespace
}  // namespace warplings
