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

  Status Check(Scoring scoring, const std::string& pattern) {
    AssignedExercise assigned{&exercise_, 10, {}, "gpu26.toml"};
    assigned.scoring.scoring = scoring;
    TestGroup group;
    group.title = "sizes";
    group.tests = {pattern};
    group.line = 41;
    assigned.scoring.groups = {group};
    return CheckRubrics({assigned}, layout_);
  }

  Exercise exercise_;
  Layout layout_ = ThisLayout();
};

TEST_F(CheckRubricsTest, AGroupNamesATestOrItIsSaidWhichThereAre) {
  EXPECT_TRUE(Check(Scoring::kRubric, "Scale.L*").ok());
  const Status wrong = Check(Scoring::kRubric, "Scales.*");
  ASSERT_FALSE(wrong.ok());
  EXPECT_EQ(wrong.error().blame, Blame::kUsage);
  EXPECT_EQ(English(wrong.error().message), "gpu26.toml:41: the group 'sizes' matches no test of scale");
  EXPECT_EQ(English(wrong.error().next_step), "Its tests are Scale.Small, Scale.Large");
}

TEST_F(CheckRubricsTest, AGroupCanEarnSomething) {
  EXPECT_TRUE(Check(Scoring::kRubric, "Scale.*").ok());
  const Status worthless = Check(Scoring::kRubric, "Scale.Small");
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
  EXPECT_TRUE(Check(Scoring::kPerTest, "Scales.*").ok());
  EXPECT_FALSE(Check(Scoring::kRubric, "Scale.*").ok());
}

}  // namespace
}  // namespace warplings
