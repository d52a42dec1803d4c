// SPDX-License-Identifier: Apache-2.0
#include "grader/course/scoring.h"

#include <gtest/gtest.h>

#include <numeric>
#include <sstream>

#include "grader/core/round_points.h"

namespace warplings {
namespace {

class ScoringTest : public testing::Test {
 protected:
  ScoringTest() {
    exercise_.id = "tile";
    exercise_.points = 10;
    assigned_ = {&exercise_, 20, {}};
    result_.exercise = "tile";
    result_.max_points = 10;
    for (const char* name : {"Tile.One", "Tile.Two", "Tile.Race", "Edge.Zero"})
      AddTest(name, Verdict::kPassed);
    exercise_.starter_fails = {"Tile.One", "Tile.Two", "Tile.Race", "Edge.Zero"};
  }

  void AddTest(const std::string& name, Verdict verdict) {
    TestResult test;
    test.name = name;
    test.verdict = verdict;
    result_.tests.push_back(test);
  }

  void Fail(std::size_t number, Verdict verdict = Verdict::kWrongResult) {
    result_.tests[number].verdict = verdict;
  }

  double Points(const std::set<std::string>& excluded = {}) {
    const auto points = ScoreResult(result_, assigned_, excluded);
    EXPECT_TRUE(points.ok());
    return points ? *points : -1;
  }

  void Rubric(std::vector<TestGroup> groups) {
    assigned_.scoring.scoring = Scoring::kRubric;
    assigned_.scoring.groups = std::move(groups);
  }

  Exercise exercise_;
  AssignedExercise assigned_;
  ExerciseResult result_;
};

TEST_F(ScoringTest, AsTheChapterSaysIsTheResultScaled) {
  result_.points = 7.5;
  EXPECT_EQ(Points(), 15);
  assigned_.max_points = 10;
  EXPECT_EQ(Points(), 7.5);
  result_.max_points = 0;
  EXPECT_EQ(Points(), 0);
}

TEST_F(ScoringTest, AllOrNothing) {
  assigned_.scoring.scoring = Scoring::kAllOrNothing;
  EXPECT_EQ(Points(), 20);
  Fail(0, Verdict::kNotRun);
  EXPECT_EQ(Points(), 0);
}

TEST_F(ScoringTest, PerTest) {
  assigned_.scoring.scoring = Scoring::kPerTest;
  EXPECT_EQ(Points(), 20);
  Fail(2, Verdict::kFinding);
  EXPECT_EQ(Points(), 15);
  result_.tests.clear();  // A compile error.
  EXPECT_EQ(Points(), 0);
}

TEST_F(ScoringTest, TwelveOfThirteenTestsAreNotNothing) {
  result_.tests.clear();
  exercise_.starter_fails.clear();
  for (int i = 0; i < 13; ++i) {
    AddTest("Tile.T" + std::to_string(i), i == 0 ? Verdict::kTimeLimit : Verdict::kPassed);
    exercise_.starter_fails.push_back(result_.tests.back().name);
  }
  assigned_.scoring.scoring = Scoring::kPerTest;
  assigned_.max_points = 10;
  EXPECT_EQ(Points(), 9.23);
}

TEST_F(ScoringTest, ARubricsGroupsAreScaledToTheExercise) {
  Rubric({{"values", 6, {"Tile.*"}, false, 1}, {"edges", 2, {"Edge.Zero"}, false, 2}});
  EXPECT_EQ(Points(), 20);
  Fail(1);
  EXPECT_EQ(Points(), 5);
  assigned_.scoring.groups[0].per_test = true;
  EXPECT_EQ(Points(), 15);
  Fail(3);
  EXPECT_EQ(Points(), 10);
}

/// 3 of 4 tests are not 15 points if the starter passes them, too.
/// "TITLE POINTS/MAX PASSED/COUNTED" of each group.
std::vector<std::string> InWords(const std::vector<GroupScore>& groups) {
  std::vector<std::string> all;
  for (const GroupScore& each : groups) {
    std::ostringstream text;
    text << (each.is_speed ? "speed" : each.title) << " " << each.points << "/" << each.max_points << " "
         << each.passed << "/" << each.counted;
    all.push_back(text.str());
  }
  return all;
}

TEST_F(ScoringTest, GroupsSayHowThePointsCameAbout) {
  using Words = std::vector<std::string>;
  Fail(1);
  EXPECT_EQ(InWords(ScoreGroups(result_, assigned_)), Words());
  assigned_.scoring.scoring = Scoring::kPerTest;
  EXPECT_EQ(InWords(ScoreGroups(result_, assigned_)), Words{" 15/20 3/4"});
  EXPECT_EQ(InWords(ScoreGroups(result_, assigned_, {"Tile.Two"})), Words{" 20/20 3/3"});
  assigned_.max_points = 11.43;
  Rubric({{"Small", 3, {"Edge.*"}, false, 0}, {"Any", 7, {"Tile.*"}, false, 0}});
  EXPECT_EQ(InWords(ScoreGroups(result_, assigned_)), (Words{"Small 3.43/3.43 1/1", "Any 0/8 2/3"}));
  assigned_.scoring.groups[1].per_test = true;
  EXPECT_EQ(InWords(ScoreGroups(result_, assigned_)), (Words{"Small 3.43/3.43 1/1", "Any 5.33/8 2/3"}));
  EXPECT_EQ(InWords(ScoreGroups(result_, assigned_, {"Edge.Zero"})), Words{"Any 7.62/11.43 2/3"});
  exercise_.speed.emplace().points = 5;
  result_.speed.emplace();
  result_.speed->graded = true;
  result_.speed->share = 0.5;
  assigned_.max_points = 20;
  EXPECT_EQ(InWords(ScoreGroups(result_, assigned_, {"Edge.Zero"})),
            (Words{"Any 6.67/10 2/3", "speed 5/10 0/0"}));
  result_.tests.clear();
  EXPECT_EQ(InWords(ScoreGroups(result_, assigned_)), Words());
}

TEST_F(ScoringTest, TheUnchangedStarterEarnsNothing) {
  exercise_.starter_fails = {"Tile.Race"};
  Fail(2);
  for (const Scoring each : {Scoring::kAllOrNothing, Scoring::kPerTest}) {
    assigned_.scoring.scoring = each;
    EXPECT_EQ(Points(), 0);
  }
  Rubric({{"tiles", 6, {"Tile.*"}, true, 1}, {"edges", 2, {"Edge.Zero"}, false, 2}});
  EXPECT_EQ(Points(), 0);
  result_.tests[2].verdict = Verdict::kPassed;
  EXPECT_EQ(Points(), 20);
  Fail(0);  // It worked before.
  EXPECT_EQ(Points(), 10);
  assigned_.scoring.scoring = Scoring::kPerTest;
  EXPECT_EQ(Points(), 10);
}

TEST_F(ScoringTest, AGroupThatNamesNoTestIsAFaultOfTheCourse) {
  Rubric({{"values", 6, {"Tiles.*"}, false, 41}});
  assigned_.course_file = "gpu26.toml";
  const auto points = ScoreResult(result_, assigned_);
  ASSERT_FALSE(points.ok());
  EXPECT_EQ(points.error().blame, Blame::kUsage);
  EXPECT_EQ(English(points.error().message), "gpu26.toml:41: the group 'values' matches no test of tile");
  EXPECT_NE(English(points.error().next_step).find("Tile.Race"), std::string::npos);
  // A text that does not compile has no tests to compare with.
  result_.tests.clear();
  EXPECT_EQ(Points(), 0);
}

TEST_F(ScoringTest, ATestExcludedCountsForNobody) {
  Fail(2);
  EXPECT_EQ(Points({"Tile.Race"}), 20);  // By the chapter's rule, all or nothing.
  assigned_.scoring.scoring = Scoring::kPerTest;
  Fail(0);
  EXPECT_EQ(Points(), 10);
  EXPECT_EQ(Points({"Tile.Race"}), 13.33);
  EXPECT_EQ(Points({"Tile.One", "Tile.Two", "Tile.Race", "Edge.Zero"}), 20);
  Rubric({{"race", 5, {"Tile.Race"}, false, 1}, {"edge", 5, {"Edge.*"}, false, 2}});
  EXPECT_EQ(Points(), 10);
  EXPECT_EQ(Points({"Tile.Race"}), 20);
}

TEST_F(ScoringTest, AGroupThatAnExclusionEmptiesCountsForNobody) {
  exercise_.starter_fails = {"Tile.One", "Tile.Race"};
  Rubric({{"values", 6, {"Tile.One"}, true, 1}, {"economy", 4, {"Tile.Race", "Edge.*"}, false, 2}});
  using Words = std::vector<std::string>;
  EXPECT_EQ(InWords(ScoreGroups(result_, assigned_)), (Words{"values 12/12 1/1", "economy 8/8 1/1"}));
  EXPECT_EQ(InWords(ScoreGroups(result_, assigned_, {"Tile.Race"})), Words{"values 20/20 1/1"});
  // The same for one who fails a test that the unchanged starter passes.
  Fail(3);
  EXPECT_EQ(InWords(ScoreGroups(result_, assigned_)), (Words{"values 12/12 1/1", "economy 0/8 1/2"}));
  EXPECT_EQ(InWords(ScoreGroups(result_, assigned_, {"Tile.Race"})), Words{"values 20/20 1/1"});
  EXPECT_EQ(Points({"Tile.Race"}), 20);
}

TEST_F(ScoringTest, GroupsAddUpToTheExercisesPoints) {
  const auto sums = [&] {
    double points = 0, max_points = 0;
    for (const GroupScore& each : ScoreGroups(result_, assigned_)) {
      points += each.points;
      max_points += each.max_points;
    }
    return std::pair(RoundPoints(points), RoundPoints(max_points));
  };
  exercise_.starter_fails = {"Tile.One", "Tile.Two", "Tile.Race"};
  assigned_.max_points = 10;
  Rubric({{"one", 5, {"Tile.One"}, false, 1},
          {"two", 5, {"Tile.Two"}, false, 2},
          {"race", 5, {"Tile.Race", "Edge.*"}, true, 3}});
  using Words = std::vector<std::string>;
  EXPECT_EQ(InWords(ScoreGroups(result_, assigned_)),
            (Words{"one 3.34/3.34 1/1", "two 3.33/3.33 1/1", "race 3.33/3.33 1/1"}));
  EXPECT_EQ(Points(), 10);
  exercise_.starter_fails.emplace_back("Edge.Zero");
  Fail(3);
  EXPECT_EQ(sums(), std::pair(8.34, 10.0));  // 3.34 + 3.33 + 1.67, each as it is shown.
  EXPECT_EQ(Points(), 8.34);
  exercise_.speed = SpeedRubric{"naive", 3};
  result_.speed.emplace();
  result_.speed->graded = true;
  result_.speed->share = 0.5;
  for (const double share : {0.1, 1.0 / 3, 0.77}) {
    assigned_.scoring.speed_share = share;
    EXPECT_EQ(sums().second, 10);
    EXPECT_EQ(sums().first, Points());
  }
}

TEST_F(ScoringTest, SpeedDecidesAboutItsShareOnly) {
  exercise_.speed = SpeedRubric{"naive", 4};
  result_.speed.emplace();
  result_.speed->graded = true;
  result_.speed->share = 0.5;
  assigned_.scoring.scoring = Scoring::kPerTest;
  EXPECT_EQ(Points(), 16);  // 12 for the tests, half of 8 for speed.
  Fail(0);
  EXPECT_EQ(Points(), 13);
  assigned_.scoring.speed_share = 0.2;
  EXPECT_EQ(Points(), 14);  // 12 of 16, and half of 4.
  assigned_.scoring.speed_share = 0;
  EXPECT_EQ(Points(), 15);
  assigned_.scoring.speed_share = 0.2;
  assigned_.scoring.scoring = Scoring::kAllOrNothing;
  EXPECT_EQ(Points(), 0);  // Fast and wrong.
  assigned_.scoring.scoring = Scoring::kPerTest;
  result_.speed->graded = false;
  EXPECT_EQ(Points(), 15);
  result_.speed->graded = true;
  exercise_.speed.reset();
  EXPECT_EQ(Points(), 15);
}

TEST_F(ScoringTest, NoPointsToHave) {
  assigned_.max_points = 0;
  for (const Scoring each : {Scoring::kChapter, Scoring::kAllOrNothing, Scoring::kPerTest}) {
    assigned_.scoring.scoring = each;
    EXPECT_EQ(Points(), 0);
  }
}

TEST(Rounding, SharesAddUp) {
  EXPECT_EQ(Apportion(10, {1, 1, 1}), (std::vector<double>{3.34, 3.33, 3.33}));
  EXPECT_EQ(Apportion(10, {2, 1}), (std::vector<double>{6.67, 3.33}));
  EXPECT_EQ(Apportion(0, {2, 1}), (std::vector<double>{0, 0}));
  EXPECT_EQ(Apportion(10, {0, 0}), (std::vector<double>{0, 0}));
  EXPECT_EQ(Apportion(10, {}), std::vector<double>());
  for (int parts = 1; parts < 60; ++parts) {
    const std::vector<double> shares =
        Apportion(100, std::vector<double>(static_cast<std::size_t>(parts), 7.3));
    EXPECT_NEAR(std::accumulate(shares.begin(), shares.end(), 0.0), 100, 1e-9) << parts;
  }
}

TEST(Pattern, StarsStandForAnyLetters) {
  EXPECT_TRUE(MatchesPattern("Tile.One", "Tile.One"));
  EXPECT_TRUE(MatchesPattern("Tile.One", "*"));
  EXPECT_TRUE(MatchesPattern("Tile.One", "Tile.*"));
  EXPECT_TRUE(MatchesPattern("Tile.One", "*.One"));
  EXPECT_TRUE(MatchesPattern("Tile.OneOne", "*One"));
  EXPECT_TRUE(MatchesPattern("Tile.One", "T*e.*n*"));
  EXPECT_TRUE(MatchesPattern("", "*"));
  EXPECT_FALSE(MatchesPattern("Tile.One", "Tile"));
  EXPECT_FALSE(MatchesPattern("Tile.One", "tile.*"));
  EXPECT_FALSE(MatchesPattern("Tile.One", ""));
  EXPECT_FALSE(MatchesPattern(std::string(2000, 'a'), "*a*a*a*a*a*a*a*a*b"));
}

}  // namespace
}  // namespace warplings
