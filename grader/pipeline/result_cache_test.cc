// SPDX-License-Identifier: Apache-2.0
#include "grader/pipeline/result_cache.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace warplings {
namespace {

ExerciseResult ResultOfTests(int count) {
  ExerciseResult result;
  result.exercise = "scale";
  result.tests.resize(static_cast<std::size_t>(count));
  return result;
}

class ResultCacheTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = testing::TempDir() + "result-cache-XXXXXX";
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  const std::filesystem::path& folder() const { return folder_; }

 private:
  std::filesystem::path folder_;
};

TEST_F(ResultCacheTest, FindsWhatWasKeptAndNothingElse) {
  const ResultCache cache(folder());
  EXPECT_FALSE(cache.Find("a"));
  cache.Insert("a", ResultOfTests(3));
  const auto found = cache.Find("a");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->exercise, "scale");
  EXPECT_EQ(found->tests.size(), 3u);
  EXPECT_FALSE(cache.Find("b"));
}

TEST_F(ResultCacheTest, AFileThatIsCutOffIsNoResult) {
  const ResultCache cache(folder());
  cache.Insert("a", ResultOfTests(1));
  std::filesystem::resize_file(folder() / "a", std::filesystem::file_size(folder() / "a") - 1);
  EXPECT_FALSE(cache.Find("a"));
  std::ofstream(folder() / "b");
  EXPECT_FALSE(cache.Find("b"));
}

TEST_F(ResultCacheTest, TheLeastRecentlyUsedGoFirst) {
  const ResultCache cache(folder(), 2);
  const auto used = [&](const char* name, int hours_ago) {
    std::filesystem::last_write_time(
        folder() / name, std::filesystem::file_time_type::clock::now() - std::chrono::hours(hours_ago));
  };
  cache.Insert("a", ResultOfTests(1));
  cache.Insert("b", ResultOfTests(1));
  used("a", 5);
  used("b", 3);
  EXPECT_TRUE(cache.Find("a"));  // Now it is younger than b.
  cache.Insert("c", ResultOfTests(1));
  EXPECT_TRUE(cache.Find("a"));
  EXPECT_FALSE(cache.Find("b"));
  EXPECT_TRUE(cache.Find("c"));
}

TEST_F(ResultCacheTest, WithoutAFolderNothingIsKept) {
  const ResultCache cache("");
  cache.Insert("a", ResultOfTests(1));
  EXPECT_FALSE(cache.Find("a"));
  const ResultCache nowhere("/dev/null/x");
  nowhere.Insert("a", ResultOfTests(1));
  EXPECT_FALSE(nowhere.Find("a"));
}

TEST(CacheKeyOf, DiffersWithWhatDecidesAResult) {
  Exercise exercise;
  exercise.chapter = "01_boundary_checks";
  exercise.id = "tiled_matmul";
  CheckJob job;
  job.submission.exercise = &exercise;
  job.submission.source = "int x;";
  job.settings.device.spec = "virtual:a100";
  const Layout layout = ThisLayout();
  const std::string key = CacheKeyOf(job, layout);
  EXPECT_EQ(key.size(), 64u);
  EXPECT_EQ(CacheKeyOf(job, layout), key);

  CheckJob other = job;
  other.submission.source = "int y;";
  EXPECT_NE(CacheKeyOf(other, layout), key);
  other = job;
  other.settings.device.spec = "virtual:t4";
  EXPECT_NE(CacheKeyOf(other, layout), key);
  other = job;
  other.settings.seed = 2;
  EXPECT_NE(CacheKeyOf(other, layout), key);
  Layout built_elsewhere = layout;
  built_elsewhere.build = "/nowhere";
  EXPECT_NE(CacheKeyOf(job, built_elsewhere), key);
}

TEST(CacheKeyOf, TimesAndCardsAreNotKept) {
  Exercise exercise;
  CheckJob job;
  job.submission.exercise = &exercise;
  job.settings.device.spec = "gpu:0";
  EXPECT_EQ(CacheKeyOf(job, ThisLayout()), "");
  job.settings.device.spec = "virtual:a100";
  job.settings.speed = SpeedMode::kEstimate;
  EXPECT_EQ(CacheKeyOf(job, ThisLayout()), "");
}

}  // namespace
}  // namespace warplings
