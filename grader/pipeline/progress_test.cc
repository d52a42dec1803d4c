// SPDX-License-Identifier: Apache-2.0
#include "grader/pipeline/progress.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

namespace warplings {
namespace {

class ProgressTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = testing::TempDir() + "warplings-progress-XXXXXX";
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  Progress Loaded(const std::string& text) {
    std::ofstream(folder_ / "p.json") << text;
    return LoadProgress(folder_ / "p.json");
  }

  std::filesystem::path folder_;
};

TEST_F(ProgressTest, ComesBackAsSaved) {
  const std::filesystem::path file = folder_ / "new" / "deep" / "progress.json";
  ASSERT_TRUE(
      SaveProgress(file, {{"1/a", {Verdict::kPassed, "abc", 2.5}}, {"1/b", {Verdict::kCrashed, "d", 0}}})
          .ok());
  const Progress progress = LoadProgress(file);
  ASSERT_EQ(progress.size(), 2u);
  EXPECT_EQ(progress.at("1/a").verdict, Verdict::kPassed);
  EXPECT_EQ(progress.at("1/a").file_hash, "abc");
  EXPECT_EQ(progress.at("1/a").points, 2.5);
  EXPECT_NE(progress.at("1/b").verdict, Verdict::kPassed);
}

TEST_F(ProgressTest, APassStaysWhenALaterCheckFails) {
  const ProgressEntry passed = AfterCheck({}, {.verdict = Verdict::kPassed, .file_hash = "a", .points = 9});
  EXPECT_TRUE(HasPassed(passed));
  const ProgressEntry broken =
      AfterCheck(passed, {.verdict = Verdict::kCrashed, .file_hash = "b", .points = 1});
  EXPECT_TRUE(HasPassed(broken));
  EXPECT_EQ(broken.pass, 9);
  EXPECT_FALSE(HasPassed(AfterCheck({}, {.verdict = Verdict::kCrashed})));
  const std::filesystem::path file = folder_ / "progress.json";
  ASSERT_TRUE(SaveProgress(file, {{"1/a", broken}}));
  const ProgressEntry read = LoadProgress(file).at("1/a");
  EXPECT_EQ(read.pass, 9);
  EXPECT_EQ(read.file_hash, "b");
  EXPECT_NE(read.verdict, Verdict::kPassed);
  // Of a version that knew no more than the last check.
  EXPECT_TRUE(HasPassed(Loaded(R"({"1/a": {"verdict": "passed", "file_hash": "x"}})").at("1/a")));
}

TEST_F(ProgressTest, DamageIsNoProgress) {
  EXPECT_TRUE(LoadProgress(folder_ / "absent").empty());
  for (const char* text :
       {"", "{", "[]", "null", R"({"1/a": 3})", R"({"1/a": {"verdict": 1, "file_hash": "x"}})",
        R"({"1/a": {"verdict": "passed"}})"}) {
    EXPECT_TRUE(Loaded(text).empty()) << text;
  }
}

TEST_F(ProgressTest, LiesBelowTheStateHome) {
  ::setenv("XDG_STATE_HOME", "/state", 1);
  EXPECT_EQ(ProgressFile(), "/state/warplings/progress.json");
  ::setenv("XDG_STATE_HOME", "relative", 1);
  ::setenv("HOME", "/home/ada", 1);
  EXPECT_EQ(ProgressFile(), "/home/ada/.local/state/warplings/progress.json");
  ::unsetenv("XDG_STATE_HOME");
  ::unsetenv("HOME");
  EXPECT_EQ(ProgressFile(), "");
  EXPECT_FALSE(SaveProgress(ProgressFile(), {}).ok());
}

TEST(HashText, IsFnv1a) {
  // The vectors published with the algorithm: empty, "a", "foobar".
  EXPECT_EQ(HashText(""), "cbf29ce484222325");
  EXPECT_EQ(HashText("a"), "af63dc4c8601ec8c");
  EXPECT_EQ(HashText("foobar"), "85944171f73967e8");
}

}  // namespace
}  // namespace warplings
