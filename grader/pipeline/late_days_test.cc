// SPDX-License-Identifier: Apache-2.0
#include "grader/pipeline/late_days.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include "grader/course/time_zone.h"
#include "grader/gradebook/gather_grades.h"
#include "tests/support/made_up_result.h"

namespace warplings {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kHour = 3600;
constexpr const char* kCourse =
    "[course]\ntitle = \"CUDA\"\n[late]\npercent_per_day = 10\nlate_days = 9\n"
    "[[assignment]]\nid = \"week1\"\nwhat = [\"scale\"]\ndue = 2026-10-08T12:00:00\n"
    "[[assignment]]\nid = \"week2\"\nwhat = [\"scale\"]\ndue = 2026-10-08T12:00:00\n"
    "[[assignment]]\nid = \"week3\"\nwhat = [\"scale\"]\ndue = 2026-10-08T12:00:00\n"
    "[[assignment]]\nid = \"week4\"\nwhat = [\"scale\"]\ndue = 2026-10-08T12:00:00\n";

/// A term's gradebooks beside each other; Ada hands in the same right file each week.
class LateDaysTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = testing::TempDir() + "warplings-late-days-XXXXXX";
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    folder_ = name;
    Chapter chapter;
    chapter.id = "01_first";
    chapter.number = 1;
    Exercise exercise;
    exercise.chapter = chapter.id;
    exercise.id = "scale";
    exercise.points = 10;
    chapter.exercises.push_back(exercise);
    workbook_.chapters = {chapter};
  }
  void TearDown() override { fs::remove_all(folder_); }

  static GradedScope Scope(const std::string& week) { return {"course.toml", kCourse, week, {}}; }

  /// Grades what Ada handed in so many days late, when earlier weeks had used `before` days.
  void Grade(const std::string& week, std::int64_t days_late, std::int64_t before) {
    fs::create_directories(folder_ / week);
    auto gradebook = Gradebook::Open(folder_ / week / "gradebook.sqlite");
    ASSERT_TRUE(gradebook.ok()) << gradebook.error().message;
    const ResultKey key{"01_first", "scale", "hash", "suite", "grader", "virtual:a100", 7, 1};
    ExerciseResult result = report_test::MadeUpResult();
    result.verdict = Verdict::kPassed;
    result.points = result.max_points = 10;
    ASSERT_TRUE(gradebook->WriteResult(key, result, "").ok());
    const std::int64_t due = SecondsOfUtc({2026, 10, 8, 12, 0, 0});
    ClassRows rows;
    rows.students.push_back({"ada", "ada.zip", {}});
    rows.students.back().late_days_before = before;
    rows.submissions.push_back(
        {"ada", "01_first", "scale", SubmissionRow::State::kFound, "scale.cu", "", key.Name()});
    rows.attempts.push_back({"ada", "01_first", "scale", 1, "scale.cu",
                             due + days_late * 24 * kHour - (days_late > 0 ? kHour : 0), false, key.Name()});
    ASSERT_TRUE(gradebook->ReplaceClass(rows).ok());
    ASSERT_TRUE(gradebook->WriteScope(Scope(week)).ok());
  }

  ScoringScope ResolvedScope(const std::string& week) {
    auto scope = ResolveScope(Scope(week), workbook_);
    EXPECT_TRUE(scope.ok());
    return std::move(*scope);
  }

  /// What Ada's earlier weeks have used.
  static std::int64_t Before(LateDaysOfTerm& days) {
    ClassRows rows;
    rows.students.push_back({"ada", "ada.zip", {}});
    EXPECT_TRUE(days.CountEarlier(rows).ok());
    return rows.students[0].late_days_before;
  }

  std::vector<std::string> Stale(LateDaysOfTerm& days, const std::string& week) {
    const auto gradebook = Gradebook::Open(folder_ / week / "gradebook.sqlite");
    const auto grades = GatherGrades(*gradebook, workbook_);
    const auto folders = days.FoldersToGradeAgain(*grades);
    EXPECT_TRUE(folders.ok());
    std::vector<std::string> names;
    for (const fs::path& each : *folders) names.push_back(each.filename());
    return names;
  }

  fs::path folder_;
  Workbook workbook_;
};

using Names = std::vector<std::string>;

TEST_F(LateDaysTest, EachGradebookIsScoredOnceAndTheLastNever) {
  Grade("week1", 2, 0);
  Grade("week2", 1, 2);
  Grade("week3", 1, 3);
  Grade("week4", 1, 3);  // Graded when week3 was not.
  const ScoringScope scope = ResolvedScope("week2");
  LateDaysOfTerm days(scope, folder_ / "week2", workbook_);
  EXPECT_EQ(Before(days), 2);
  EXPECT_EQ(days.scored(), 1u) << "week1";
  EXPECT_EQ(Stale(days, "week2"), Names{"week4"});
  EXPECT_EQ(days.scored(), 2u) << "and week3, which week4 comes after";
  // What OUT itself uses is in its grades, and counts at once.
  Grade("week2", 3, 2);
  EXPECT_EQ(Stale(days, "week2"), (Names{"week3", "week4"}));
  EXPECT_EQ(days.scored(), 2u);
}

TEST_F(LateDaysTest, BeforeTheLastWeekAllOthersAreScored) {
  Grade("week1", 2, 0);
  Grade("week2", 0, 2);
  Grade("week3", 1, 2);
  const ScoringScope scope = ResolvedScope("week4");
  LateDaysOfTerm days(scope, folder_ / "week4", workbook_);
  EXPECT_EQ(Before(days), 3);
  Grade("week4", 1, 3);
  EXPECT_EQ(Stale(days, "week4"), Names{});
  EXPECT_EQ(days.scored(), 3u);
}

TEST_F(LateDaysTest, WhatIsGradedMeanwhileCounts) {
  Grade("week1", 2, 0);
  const ScoringScope scope = ResolvedScope("week2");
  LateDaysOfTerm days(scope, folder_ / "week2", workbook_);
  EXPECT_EQ(Before(days), 2);
  Grade("week2", 1, 2);
  Grade("week1", 4, 0);
  Grade("week3", 0, 3);
  EXPECT_EQ(Stale(days, "week2"), Names{"week3"});
  EXPECT_EQ(days.scored(), 2u) << "week1, anew";
  Grade("week3", 0, 5);
  EXPECT_EQ(Stale(days, "week2"), Names{});
  EXPECT_EQ(days.scored(), 2u);
  fs::remove_all(folder_ / "week3");
  fs::remove_all(folder_ / "week1");
  EXPECT_EQ(Before(days), 0);
}

}  // namespace
}  // namespace warplings
