// SPDX-License-Identifier: Apache-2.0
#include "grader/course/scoring.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "grader/core/round_points.h"
#include "grader/messages/course.h"

namespace warplings {
namespace {

double AllOrNothing(double share) {
  return share < 1 ? 0 : 1;
}

bool IsIn(const TestGroup& group, const std::string& test) {
  return std::ranges::any_of(group.tests,
                             [&](const std::string& pattern) { return MatchesPattern(test, pattern); });
}

Error NoSuchTest(const TestGroup& group, const ExerciseResult& result) {
  std::string names;
  for (const TestResult& test : result.tests) names += (names.empty() ? "" : ", ") + test.name;
  return UsageError(say::group_without_test(group.line, result.exercise, group.title), say::its_tests(names));
}

/// A group without a test that counts, because each is excluded or passed by the unchanged starter, too,
/// counts for nobody.
Result<double> RubricShare(const ExerciseResult& result, const AssignedExercise& assigned,
                           const std::set<std::string>& excluded) {
  double earned = 0, possible = 0;
  for (const TestGroup& group : assigned.scoring.groups) {
    const bool named =
        std::ranges::any_of(result.tests, [&](const TestResult& test) { return IsIn(group, test.name); });
    if (!named) return NoSuchTest(group, result);
    const auto share = PassedShare(*assigned.exercise, result.tests, [&](const TestResult& test) {
      return IsIn(group, test.name) && !excluded.contains(test.name);
    });
    if (!share) continue;
    possible += group.points;
    earned += group.points * (group.per_test ? *share : AllOrNothing(*share));
  }
  return possible == 0 ? 1 : earned / possible;
}

/// 0 to 1, by the tests alone.
Result<double> TestsShare(const ExerciseResult& result, const AssignedExercise& assigned,
                          const std::set<std::string>& excluded) {
  if (result.tests.empty()) return 0.0;
  if (assigned.scoring.scoring == Scoring::kRubric) {
    return RubricShare(result, assigned, excluded);
  }
  const double share = PassedShare(*assigned.exercise, result.tests, [&](const TestResult& test) {
                         return !excluded.contains(test.name);
                       }).value_or(1);
  const bool per_test = assigned.scoring.scoring == Scoring::kPerTest ||
                        (assigned.scoring.scoring == Scoring::kChapter &&
                         assigned.exercise->points_rule == PointsRule::kPerTest);
  return per_test ? share : AllOrNothing(share);
}

double SpeedShare(const AssignedExercise& assigned) {
  const Exercise& exercise = *assigned.exercise;
  if (!exercise.speed || exercise.points <= 0) return 0;
  return assigned.scoring.speed_share.value_or(exercise.speed->points / exercise.points);
}

}  // namespace

std::vector<double> Apportion(double total, const std::vector<double>& weights) {
  std::vector<double> shares(weights.size(), 0);
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  if (sum <= 0) return shares;
  const auto hundredths = std::llround(RoundPoints(total) * 100);
  std::vector<long long> parts(weights.size());
  std::vector<std::pair<double, std::size_t>> remainders;
  long long left = hundredths;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const double exact = static_cast<double>(hundredths) * weights[i] / sum;
    parts[i] = static_cast<long long>(std::floor(exact + 1e-9));
    left -= parts[i];
    remainders.emplace_back(static_cast<double>(parts[i]) - exact, i);  // The largest remainder first.
  }
  std::ranges::stable_sort(remainders, {}, [](const auto& each) { return each.first; });
  for (std::size_t i = 0; left > 0 && i < remainders.size(); ++i, --left) ++parts[remainders[i].second];
  for (std::size_t i = 0; i < parts.size(); ++i) shares[i] = static_cast<double>(parts[i]) / 100;
  return shares;
}

Result<double> ScoreResult(const ExerciseResult& result, const AssignedExercise& assigned,
                           const std::set<std::string>& excluded) {
  const ScoringRule& rule = assigned.scoring;
  if (rule.scoring == Scoring::kChapter && !rule.speed_share && excluded.empty()) {
    if (result.max_points <= 0) return 0.0;
    return RoundPoints(assigned.max_points * result.points / result.max_points);
  }
  const auto tests = TestsShare(result, assigned, excluded);
  if (!tests) return tests.error();
  double share = *tests;
  if (result.speed && result.speed->graded && share > 0) {
    const double for_speed = SpeedShare(assigned);
    share = (1 - for_speed) * share + for_speed * result.speed->share;
  }
  return RoundPoints(assigned.max_points * share);
}

bool MatchesPattern(std::string_view name, std::string_view pattern) {
  // The last `*` takes a letter more whenever what follows it does not fit.
  std::size_t n = 0, p = 0, star = pattern.npos, taken = 0;
  while (n < name.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      taken = n;
    } else if (p < pattern.size() && pattern[p] == name[n]) {
      ++p;
      ++n;
    } else if (star != pattern.npos) {
      p = star + 1;
      n = ++taken;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == pattern.npos;
}

}  // namespace warplings
