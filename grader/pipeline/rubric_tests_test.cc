// SPDX-License-Identifier: Apache-2.0
#include "grader/pipeline/rubric_tests.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>

#include "grader/pipeline/test_names.h"

namespace warplings {
namespace {

namespace fs = std::filesystem;

TEST(ParseTestList, NamesAreSuiteAndTest) {
  const std::string listed =
      "Running main() from gtest_main.cc\nScale.\n  Small\n  Large\nAll/Tile.\n  Width/0  # GetParam() = 3\n";
  EXPECT_EQ(ParseTestList(listed),
            (std::vector<std::string>{"Scale.Small", "Scale.Large", "All/Tile.Width/0"}));
  EXPECT_TRUE(ParseTestList("").empty());
}

/// A suite that is a script: what is asked of it is only its list.
class CheckRubricsTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = testing::TempDir() + "warplings-rubric-XXXXXX";
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    layout_.build = name;
    exercise_.chapter = "01_first";
    exercise_.id = "scale";
    exercise_.starter_fails = {"Scale.Large"};
    const fs::path suite = layout_.SuiteProgram("01_first", "scale");
    fs::create_directories(suite.parent_path());
    std::ofstream(suite)
        << "#!/bin/sh\n[ \"$1\" = --gtest_list_tests ] || exit 1\nprintf 'Scale.\\n  Small\\n  Large\\n'\n";
    fs::permissions(suite, fs::perms::owner_all);
  }
  void TearDown() override { fs::remove_all(layout_.build); }

  Result<RubricTests> Check(Scoring scoring, const std::vector<std::string>& patterns) {
    AssignedExercise assigned{&exercise_, 10, {}, "gpu26.toml"};
    assigned.scoring.scoring = scoring;
    TestGroup group;
    group.title = "sizes";
    group.tests = patterns;
    group.line = 41;
    for (std::size_t i = 0; i < patterns.size(); ++i) group.test_lines.push_back(41 + static_cast<int>(i));
    assigned.scoring.groups = {group};
    return CheckRubrics({assigned}, layout_);
  }

  Exercise exercise_;
  Layout layout_ = ThisLayout();
};

TEST_F(CheckRubricsTest, AGroupNamesATestOrItIsSaidWhichThereAre) {
  EXPECT_TRUE(Check(Scoring::kRubric, {"Scale.L*"}).ok());
  const auto wrong = Check(Scoring::kRubric, {"Scales.*"});
  ASSERT_FALSE(wrong.ok());
  EXPECT_EQ(wrong.error().blame, Blame::kUsage);
  EXPECT_EQ(English(wrong.error().message),
            "gpu26.toml:41: the group 'sizes': 'Scales.*' matches no test of scale");
  EXPECT_EQ(English(wrong.error().next_step), "Its tests are Scale.Small, Scale.Large");
}

TEST_F(CheckRubricsTest, EachNameOfAGroupIsATest) {
  const auto listed = Check(Scoring::kRubric, {"Scale.Large", "Scale.S*"});
  ASSERT_TRUE(listed.ok());
  EXPECT_EQ(listed->at(&exercise_), (std::vector<std::string>{"Scale.Small", "Scale.Large"}));
  const auto wrong = Check(Scoring::kRubric, {"Scale.Large", "Scale.Smaall"});
  ASSERT_FALSE(wrong.ok());
  EXPECT_EQ(wrong.error().blame, Blame::kUsage);
  EXPECT_EQ(
      English(wrong.error().message),
      "gpu26.toml:42: the group 'sizes': 'Scale.Smaall' matches no test of scale; did you mean Scale.Small?");
  const auto pattern = Check(Scoring::kRubric, {"Scale.Large", "Scale.Smaal*"});
  ASSERT_FALSE(pattern.ok());
  EXPECT_EQ(English(pattern.error().message),
            "gpu26.toml:42: the group 'sizes': 'Scale.Smaal*' matches no test of scale; did you mean "
            "Scale.Small?");
}

/// An assignment's group is that of several exercises, and a name in it is of one of them.
TEST_F(CheckRubricsTest, ANameOfASharedGroupIsATestOfOneExercise) {
  Exercise other = exercise_;
  other.id = "tile";
  other.starter_fails = {"Tile.Large"};
  const fs::path suite = layout_.SuiteProgram("01_first", "tile");
  std::ofstream(suite) << "#!/bin/sh\nprintf 'Tile.\n  Large\n'\n";
  fs::permissions(suite, fs::perms::owner_all);
  AssignedExercise first{&exercise_, 10, {}, "gpu26.toml"};
  first.scoring.scoring = Scoring::kRubric;
  first.scoring.groups = {{.title = "sizes", .tests = {"Scale.Large", "Tile.Large"}, .line = 41}};
  AssignedExercise second = first;
  second.exercise = &other;
  EXPECT_TRUE(CheckRubrics({first, second}, layout_).ok());
  EXPECT_FALSE(CheckRubrics({first}, layout_).ok());
}

TEST_F(CheckRubricsTest, AGroupCanEarnSomething) {
  EXPECT_TRUE(Check(Scoring::kRubric, {"Scale.*"}).ok());
  const auto worthless = Check(Scoring::kRubric, {"Scale.Small"});
  ASSERT_FALSE(worthless.ok());
  EXPECT_EQ(worthless.error().blame, Blame::kUsage);
  EXPECT_EQ(English(worthless.error().message),
            "gpu26.toml:41: the group 'sizes' of scale earns nothing, because the unchanged "
            "starter passes "
            "all its tests");
  EXPECT_EQ(English(worthless.error().next_step), "Name a test that the starter fails: Scale.Large");
}

TEST_F(CheckRubricsTest, WithoutARubricNoSuiteIsAsked) {
  fs::remove(layout_.SuiteProgram("01_first", "scale"));
  EXPECT_TRUE(Check(Scoring::kPerTest, {"Scales.*"}).ok());
  EXPECT_FALSE(Check(Scoring::kRubric, {"Scale.*"}).ok());
}

}  // namespace
}  // namespace warplings
