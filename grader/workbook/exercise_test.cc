// SPDX-License-Identifier: Apache-2.0
#include "grader/workbook/exercise.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <fstream>

#include "grader/core/layout.h"
#include "grader/workbook/chapter_file.h"
#include "grader/workbook/contract.h"

namespace warplings {
namespace {

namespace fs = std::filesystem;

constexpr const char* kChapter = R"(title = "First steps"
[[exercise]]
id = "vector_add"
title = "Add two vectors"
entry = "vector_add"
points = 5
hints = ["look", "look closer"]
starter_fails = ["VectorAdd.OneElement"]
[[exercise.misconception]]
id = "unguarded"
told_by = ["reads_outside"]
title = "No guard"
message = "The last block is not full."
)";

/// A workbook of two chapters in a folder of its own.
class WorkbookTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "workbook-XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    root_ = pattern;
    for (const char* chapter : {"chapters/01_first", "chapters/02_second"}) {
      Write(std::string(chapter) + "/chapter.toml", kChapter);
      Write(std::string(chapter) + "/vector_add.cu", "");
      Write(std::string(chapter) + "/vector_add.h", "void vector_add(const float* a, int n);\n");
    }
    Write("solutions/01_first/vector_add.cu", "");
  }
  void TearDown() override { fs::remove_all(root_); }

  void Write(const std::string& name, const std::string& text) {
    fs::create_directories((root_ / name).parent_path());
    std::ofstream(root_ / name) << text;
  }

  /// What LoadWorkbook says of the tree as it is; "" when it loads.
  std::string Fault() {
    const auto workbook = LoadWorkbook(root_);
    if (workbook) return "";
    EXPECT_EQ(workbook.error().blame, Blame::kUsage);
    return English(workbook.error().message);
  }

  fs::path root_;
};

TEST_F(WorkbookTest, LoadsEverythingInOrder) {
  const auto workbook = LoadWorkbook(root_);
  ASSERT_TRUE(workbook.ok()) << workbook.error().message;
  ASSERT_EQ(workbook->chapters.size(), 2u);
  const Chapter& chapter = workbook->chapters[0];
  EXPECT_EQ(chapter.id, "01_first");
  EXPECT_EQ(chapter.number, 1);
  EXPECT_EQ(chapter.title, "First steps");
  const Exercise& exercise = chapter.exercises.at(0);
  EXPECT_EQ(exercise.chapter, "01_first");
  EXPECT_EQ(exercise.id, "vector_add");
  EXPECT_EQ(exercise.declaration, "void vector_add(const float* a, int n);");
  EXPECT_EQ(exercise.points, 5);
  EXPECT_EQ(exercise.hints, (std::vector<std::string>{"look", "look closer"}));
  EXPECT_EQ(exercise.starter_fails, std::vector<std::string>{"VectorAdd.OneElement"});
  ASSERT_EQ(exercise.misconceptions.size(), 1u);
  EXPECT_EQ(exercise.misconceptions[0].id, "unguarded");
  EXPECT_EQ(exercise.misconceptions[0].told_by, std::vector<std::string>{"reads_outside"});
  EXPECT_FALSE(exercise.misconceptions[0].fact_first);
  EXPECT_EQ(exercise.starter, root_ / "chapters/01_first/vector_add.cu");
  EXPECT_EQ(exercise.solution, root_ / "solutions/01_first/vector_add.cu");
  EXPECT_TRUE(workbook->chapters[1].exercises[0].solution.empty());
}

TEST_F(WorkbookTest, ProfilesAnswersAndTimesAreOptional) {
  auto workbook = LoadWorkbook(root_);
  ASSERT_TRUE(workbook.ok());
  EXPECT_EQ(workbook->chapters[0].exercises[0].profiles, std::vector<std::string>{"a100"});
  EXPECT_FALSE(workbook->chapters[0].exercises[0].has_answers);
  EXPECT_TRUE(workbook->chapters[0].exercises[0].shown_counts.empty());
  std::string text = kChapter;
  text.insert(text.find("points = 5"),
              "profiles = [\"t4\", \"h200\"]\nanswers = true\nminutes = 20\n"
              "shown_counts = [\"launch\", \"global_loads\"]\n");
  text.insert(text.find("[[exercise]]"), "reading_minutes = 45\n");
  Write("chapters/01_first/chapter.toml", text);
  workbook = LoadWorkbook(root_);
  ASSERT_TRUE(workbook.ok()) << workbook.error().message;
  EXPECT_EQ(workbook->chapters[0].exercises[0].profiles, (std::vector<std::string>{"t4", "h200"}));
  EXPECT_TRUE(workbook->chapters[0].exercises[0].has_answers);
  EXPECT_EQ(workbook->chapters[0].exercises[0].shown_counts,
            (std::vector<std::string>{"launch", "global_loads"}));
}

TEST_F(WorkbookTest, TextsAreTranslatedWhereThereIsATranslation) {
  Write("chapters/02_second/chapter.zh_Hant.toml", "title = \"第二章\"\n");
  auto workbook = LoadWorkbook(root_, "zh_Hant");
  ASSERT_TRUE(workbook.ok()) << workbook.error().message;
  EXPECT_EQ(workbook->chapters[0].title, "First steps");
  EXPECT_EQ(workbook->chapters[1].title, "第二章");
  workbook = LoadWorkbook(root_);
  ASSERT_TRUE(workbook.ok());
  EXPECT_EQ(workbook->chapters[1].title, "First steps");
  Write("chapters/01_first/chapter.zh_Hant.toml", "title = \n");
  EXPECT_EQ(Fault(), "") << "nobody reads it in English";
  workbook = LoadWorkbook(root_, "zh_Hant");
  ASSERT_FALSE(workbook.ok());
  EXPECT_EQ(English(workbook.error().message).find("chapters/01_first/chapter.zh_Hant.toml:1: not TOML"), 0u);
}

TEST_F(WorkbookTest, AMissingFolderOrFileIsNamed) {
  fs::remove(root_ / "chapters/02_second/vector_add.cu");
  EXPECT_EQ(Fault(),
            "chapters/02_second/chapter.toml:3: exercise.id: chapters/02_second/vector_add.cu: there is no "
            "such file");
  fs::remove(root_ / "chapters/01_first/vector_add.h");
  EXPECT_EQ(
      Fault(),
      "chapters/01_first/chapter.toml:3: exercise.id: chapters/01_first/vector_add.h: there is no such file");
  fs::remove(root_ / "chapters/01_first/chapter.toml");
  EXPECT_EQ(Fault(), "chapters/01_first/chapter.toml: there is no such file");
  fs::remove_all(root_ / "chapters/01_first");
  fs::remove_all(root_ / "chapters/02_second");
  EXPECT_NE(Fault().find("has no chapter in it"), std::string::npos);
  fs::remove_all(root_ / "chapters");
  EXPECT_NE(Fault().find("No such file or directory"), std::string::npos);
}

TEST_F(WorkbookTest, AFolderThatIsNoChaptersIsNamed) {
  Write("chapters/notes/a.txt", "");
  EXPECT_NE(Fault().find("chapters/notes: "), std::string::npos);
}

TEST_F(WorkbookTest, TwoChaptersOfOneNumberAreAnError) {
  fs::rename(root_ / "chapters/02_second", root_ / "chapters/01_second");
  EXPECT_EQ(Fault(), "chapters/01_first and chapters/01_second have the same number");
}

TEST_F(WorkbookTest, AContractWithoutTheEntryIsAnError) {
  Write("chapters/01_first/vector_add.h", "int sum(int n);\n");
  EXPECT_EQ(
      Fault(),
      "chapters/01_first/chapter.toml:5: exercise.entry: chapters/01_first/vector_add.h does not declare "
      "'vector_add'");
  Write("chapters/01_first/vector_add.h", "// vector_addd(x);\nint sum(int n);\nvoid vector_adds(int n);\n");
  EXPECT_EQ(
      Fault(),
      "chapters/01_first/chapter.toml:5: exercise.entry: chapters/01_first/vector_add.h does not declare "
      "'vector_add'; did you mean vector_adds?");
}

TEST_F(WorkbookTest, SelectsByNumberChapterExerciseAndFullName) {
  const auto workbook = LoadWorkbook(root_);
  ASSERT_TRUE(workbook.ok());
  const Exercise* second = &workbook->chapters[1].exercises[0];
  for (const char* what : {"2", "02", "02_second", "02_second/vector_add"}) {
    const auto found = SelectExercises(*workbook, what);
    ASSERT_TRUE(found.ok()) << what;
    EXPECT_EQ(*found, std::vector<const Exercise*>{second}) << what;
  }
}

TEST_F(WorkbookTest, AnAmbiguousNameListsWhatThereIs) {
  const auto workbook = LoadWorkbook(root_);
  ASSERT_TRUE(workbook.ok());
  const auto ambiguous = SelectExercises(*workbook, "vector_add");
  ASSERT_FALSE(ambiguous.ok());
  EXPECT_EQ(ambiguous.error().blame, Blame::kUsage);
  EXPECT_NE(English(ambiguous.error().message).find("01_first/vector_add, 02_second/vector_add"),
            std::string::npos);
  for (const char* what : {"", "../01_first", "1 ", "99999999999999999999"}) {
    const auto unknown = SelectExercises(*workbook, what);
    ASSERT_FALSE(unknown.ok()) << what;
    EXPECT_NE(English(unknown.error().message).find("there is no chapter or exercise"), std::string::npos);
    EXPECT_NE(English(unknown.error().next_step).find("warplings list"), std::string::npos);
  }
}

TEST_F(WorkbookTest, ANumberThatNoChapterHasIsAnsweredWithThoseThereAre) {
  auto workbook = LoadWorkbook(root_);
  ASSERT_TRUE(workbook.ok());
  const auto message = [&] { return English(SelectExercises(*workbook, "8").error().message); };
  EXPECT_EQ(message(), "there is no chapter 8; there are chapters 1 to 2");
  workbook->chapters.back().number = 4;
  EXPECT_EQ(message(), "there is no chapter 8; there are: 1, 4");
}

/// What a student types for one exercise; who grades a class names it in full.
TEST_F(WorkbookTest, APartOfANameThatFitsOneExerciseIsTaken) {
  auto workbook = LoadWorkbook(root_);
  ASSERT_TRUE(workbook.ok());
  const auto add = [&](const std::string& id) {
    Exercise exercise = workbook->chapters.front().exercises.front();
    exercise.id = id;
    workbook->chapters.back().exercises.push_back(exercise);
  };
  add("shared_tiles");
  const auto found = SelectTyped(*workbook, "tile");
  ASSERT_TRUE(found.ok()) << found.error().message;
  EXPECT_EQ(found->front()->id, "shared_tiles");
  EXPECT_FALSE(SelectExercises(*workbook, "tile").ok());
  EXPECT_FALSE(SelectTyped(*workbook, "ti").ok()) << "too short";
  add("wide_tiles");
  const auto several = SelectTyped(*workbook, "tile");
  ASSERT_FALSE(several.ok());
  EXPECT_EQ(English(several.error().message), "'tile' fits several exercises: shared_tiles, wide_tiles");
  EXPECT_EQ(English(several.error().next_step), "Write more of the name.");
  EXPECT_EQ((*SelectTyped(*workbook, "wide_tiles")).front()->id, "wide_tiles") << "a whole name";
  EXPECT_EQ((*SelectTyped(*workbook, "01_first")).size(), workbook->chapters.front().exercises.size());
}

TEST_F(WorkbookTest, ANameNearbyIsOfferedAndAMissingFileIsCalledOne) {
  const auto workbook = LoadWorkbook(root_);
  ASSERT_TRUE(workbook.ok());
  const auto message = [&](const std::string& what) {
    return English(SelectExercises(*workbook, what).error().message);
  };
  EXPECT_NE(message("01_frist").find("did you mean 01_first?"), std::string::npos);
  EXPECT_EQ(message("wombat").find("did you mean"), std::string::npos);
  EXPECT_EQ(message("mine.cu"), "there is no file 'mine.cu'");
  EXPECT_NE(message(root_ / "chapters/01_first/vector_add.h").find("is a file"), std::string::npos);
  const auto own = SelectExercises(*workbook, root_ / "chapters/../chapters/01_first/vector_add.cu");
  ASSERT_TRUE(own.ok()) << "the path of its file is an exercise's name, too";
  EXPECT_EQ(*own, std::vector<const Exercise*>{&workbook->chapters[0].exercises[0]});
}

TEST(ChapterFileTest, EachFaultNamesFileLineAndKey) {
  struct Case {
    const char* from;
    const char* to;
    const char* message;
  };
  for (const Case& c : std::initializer_list<Case>{
           {"title = \"First steps\"", "title = ", "f.toml:1: not TOML: "},
           {"title = \"First steps\"", "", "f.toml:1: title: is missing"},
           {"title = \"First steps\"", "title = 3", "f.toml:1: title: must be a string"},
           {"title = \"First steps\"", "title = \"x\"\ncolour = 1", "f.toml:2: colour: is not a known key"},
           {"points = 5", "points = \"5\"", "f.toml:6: exercise.points: must be a number"},
           {"points = 5", "points = -1", "f.toml:6: exercise.points: must be a number"},
           {"points = 5", "points = nan", "f.toml:6: exercise.points: must be a number"},
           {"points = 5", "", "f.toml:2: exercise.points: is missing"},
           {"points = 5", "points = 5\npoints_rule = \"some\"", "f.toml:7: exercise.points_rule: must be"},
           {"points = 5", "points = 5\nshown_counts = [\"loads\"]",
            "f.toml:7: exercise.shown_counts: 'loads' must be one of registers, launch, "},
           {"points = 5", "points = 5\nminutes = 0", "f.toml:7: exercise.minutes: must be a whole number"},
           {"points = 5", "points = 5\nminutes = 2.5", "f.toml:7: exercise.minutes: must be a whole number"},
           {"title = \"First steps\"", "title = \"x\"\nreading_minutes = \"9\"",
            "f.toml:2: reading_minutes: must be a whole number"},
           {"points = 5", "points = 5\nspeed = 3", "f.toml:7: exercise.speed: must be a table"},
           {"points = 5", "points = 5\nspeed = {points = 1}",
            "f.toml:7: exercise.speed.baseline: is missing"},
           {"points = 5", "points = 5\nspeed = {baseline = \"b\", points = 6}",
            "f.toml:7: exercise.speed.points: must not be more"},
           {"points = 5", "points = 5\npoint = 5", "f.toml:7: exercise.point: is not a known key"},
           {"id = \"vector_add\"", "id = \"../../etc\"", "f.toml:3: exercise.id: '../../etc' must be"},
           {"id = \"vector_add\"", "id = \"Vector\"", "f.toml:3: exercise.id: 'Vector' must be"},
           {"entry = \"vector_add\"", "entry = \"f(\"", "f.toml:5: exercise.entry: 'f(' must be"},
           {"[\"look\", \"look closer\"]", "[]", "f.toml:7: exercise.hints: must be a list"},
           {"[\"look\", \"look closer\"]", "[\"look\", 3]",
            "f.toml:7: exercise.hints: must hold strings in quotes"},
           {"[\"look\", \"look closer\"]", "[\"a\", \"a\"]", "f.toml:7: exercise.hints: lists 'a' twice"},
           {"VectorAdd.OneElement", "VectorAdd", "f.toml:8: exercise.starter_fails: 'VectorAdd' is not"},
           {"id = \"unguarded\"", "id = \"a/b\"", "f.toml:10: exercise.misconception.id: 'a/b' must be"},
           {"message = \"The", "text = \"The",
            "f.toml:9: exercise.misconception.message of 'unguarded': is missing"},
           {"told_by = [\"reads_outside\"]\n", "",
            "f.toml:9: exercise.misconception.told_by of 'unguarded': is missing"},
           {"told_by = ", "told_bye = ",
            "f.toml:11: exercise.misconception.told_bye of 'unguarded': is not a known key; did you mean "
            "told_by?"},
           {"[\"reads_outside\"]", "[]",
            "f.toml:11: exercise.misconception.told_by of 'unguarded': must be a list"},
           {"message = \"The", "massage = \"The",
            "f.toml:13: exercise.misconception.massage of 'unguarded': is not a known key; did you mean "
            "message?"},
           {"told_by = [", "told_bye = [",
            "f.toml:11: exercise.misconception.told_bye of 'unguarded': is not a known key; did you mean "
            "told_by?"},
           {"points = 5", "points = 5\nshown_counts = [\"global_load\"]",
            "f.toml:7: exercise.shown_counts: 'global_load' must be one of "},
           {"points = 5", "points = 5\npoints_rule = \"per_tests\"",
            "f.toml:7: exercise.points_rule: must be \"all_tests\" or \"per_test\"; did you mean per_test?"},
           {"[[exercise]]", "[exercise]", "f.toml:"},
       }) {
    std::string text = kChapter;
    const std::size_t at = text.find(c.from);
    ASSERT_NE(at, std::string::npos) << c.from;
    text.replace(at, std::string(c.from).size(), c.to);
    const auto chapter = ParseChapterFile(text, "f.toml");
    ASSERT_FALSE(chapter.ok()) << c.to;
    EXPECT_EQ(English(chapter.error().message).substr(0, std::string(c.message).size()), c.message);
  }
}

TEST(ChapterFileTest, AnUnknownCountIsPerhapsMisspelt) {
  std::string text = kChapter;
  text.replace(text.find("points = 5"), 10, "points = 5\nshown_counts = [\"shared_load\"]");
  const auto chapter = ParseChapterFile(text, "f.toml");
  ASSERT_FALSE(chapter.ok());
  const std::string said = English(chapter.error().message);
  EXPECT_TRUE(said.ends_with(", shared_atomics; did you mean shared_loads?")) << said;
}

TEST(ChapterFileTest, AnIdThatIsThereTwiceIsAnError) {
  const std::string text = kChapter;
  const auto twice = ParseChapterFile(text + text.substr(text.find("[[exercise]]")), "f.toml");
  ASSERT_FALSE(twice.ok());
  EXPECT_NE(English(twice.error().message).find("exercise.id: 'vector_add' appears twice"),
            std::string::npos);
  const auto misconception = ParseChapterFile(text + text.substr(text.find("[[exercise.m")), "f.toml");
  ASSERT_FALSE(misconception.ok());
  EXPECT_NE(English(misconception.error().message).find("'unguarded' appears twice"), std::string::npos);
}

TEST(ChapterFileTest, AFactTellsOfOneMisconception) {
  const std::string text = kChapter;
  std::string other = text.substr(text.find("[[exercise.m"));
  other.replace(other.find("unguarded"), 9, "other");
  const auto chapter = ParseChapterFile(text + other, "f.toml");
  ASSERT_FALSE(chapter.ok());
  EXPECT_NE(English(chapter.error().message).find("'reads_outside' tells of 'unguarded' already"),
            std::string::npos)
      << chapter.error().message;
}

TEST(ContractTest, FindsTheDeclarationThroughCommentsAndLineBreaks) {
  EXPECT_EQ(
      FindDeclaration("#pragma once\n// void f(int);\n/* f(x); */ void g(int);\nvoid f(const float* M,\n"
                      "       int width /* any */);\n",
                      "f"),
      "void f(const float* M, int width );");
  EXPECT_EQ(FindDeclaration("int ff(int); int f (int);", "f"), "int f (int);");
  EXPECT_EQ(FindDeclaration("int f(int) { return 1; }", "f"), std::nullopt);
  EXPECT_EQ(FindDeclaration("int f(int)", "f"), std::nullopt);
  EXPECT_EQ(FindDeclaration("/* int f(int);", "f"), std::nullopt);
  EXPECT_EQ(FindDeclaration("", "f"), std::nullopt);
}

/// As many results, all passed, of which the unchanged starter fails the first `starter_fails`.
std::vector<TestResult> PassedTests(Exercise& exercise, std::size_t count, std::size_t starter_fails) {
  std::vector<TestResult> tests(count);
  for (std::size_t i = 0; i < count; ++i) {
    tests[i].name = "Scale.T" + std::to_string(i);
    tests[i].verdict = Verdict::kPassed;
    if (i < starter_fails) exercise.starter_fails.push_back(tests[i].name);
  }
  return tests;
}

TEST(ScorePointsTest, FollowsTheRule) {
  Exercise exercise;
  exercise.points = 10;
  std::vector<TestResult> tests = PassedTests(exercise, 4, 4);
  EXPECT_EQ(ScorePoints(exercise, tests), 10);
  tests[0].verdict = Verdict::kWrongResult;
  EXPECT_EQ(ScorePoints(exercise, tests), 0);
  exercise.points_rule = PointsRule::kPerTest;
  EXPECT_EQ(ScorePoints(exercise, tests), 7.5);
  EXPECT_EQ(ScorePoints(exercise, {}), 0);
}

TEST(ScorePointsTest, WhatTheStarterPassesEarnsNothingAndCostsIfItFails) {
  Exercise exercise;
  exercise.points = 10;
  exercise.points_rule = PointsRule::kPerTest;
  std::vector<TestResult> tests = PassedTests(exercise, 6, 4);
  EXPECT_EQ(ScorePoints(exercise, tests), 10);
  for (std::size_t i = 0; i < 4; ++i) tests[i].verdict = Verdict::kWrongResult;
  EXPECT_EQ(ScorePoints(exercise, tests), 0) << "the unchanged starter";
  tests[0].verdict = Verdict::kPassed;
  EXPECT_EQ(ScorePoints(exercise, tests), 2.5);
  tests[5].verdict = Verdict::kWrongResult;
  EXPECT_EQ(ScorePoints(exercise, tests), 2);
  tests = PassedTests(exercise, 6, 0);
  tests[5].verdict = Verdict::kWrongResult;
  EXPECT_EQ(ScorePoints(exercise, tests), 8) << "all is right but what worked before";
}

TEST(ScorePointsTest, SpeedDecidesAboutItsPointsWhereItWasGraded) {
  Exercise exercise;
  exercise.points = 10;
  exercise.speed = SpeedRubric{"a slow kernel", 4};
  std::vector<TestResult> tests = PassedTests(exercise, 2, 2);
  SpeedResult speed;
  speed.share = 0.25;
  EXPECT_EQ(ScorePoints(exercise, tests), 10) << "not measured";
  EXPECT_EQ(ScorePoints(exercise, tests, speed), 10) << "measured, and not graded";
  speed.graded = true;
  EXPECT_EQ(ScorePoints(exercise, tests, speed), 7);
  speed.share = 0;
  EXPECT_EQ(ScorePoints(exercise, tests, speed), 6);
  speed.share = 1;
  EXPECT_EQ(ScorePoints(exercise, tests, speed), 10);
  tests[0].verdict = Verdict::kWrongResult;
  EXPECT_EQ(ScorePoints(exercise, tests, speed), 0) << "a fast wrong answer";
}

}  // namespace
}  // namespace warplings
