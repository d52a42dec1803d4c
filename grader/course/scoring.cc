// SPDX-License-Identifier: Apache-2.0
#include "grader/course/scoring.h"

#include <algorithm>
#include <cmath>
#include <functional>
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

Error NoSuchTest(const TestGroup& group, const std::string& file, const ExerciseResult& result) {
  std::string names;
  for (const TestResult& test : result.tests) names += (names.empty() ? "" : ", ") + test.name;
  return UsageError(say::group_without_test(file, group.line, result.exercise, group.title),
                    say::its_tests(names));
}

/// True if passing some of its tests that are not excluded earns points, because the unchanged starter fails
/// it. That is so for the whole class, or for nobody.
bool EarnsPoints(const TestGroup& group, const Exercise& exercise, const std::set<std::string>& excluded) {
  return std::ranges::any_of(exercise.starter_fails, [&](const std::string& test) {
    return IsIn(group, test) && !excluded.contains(test);
  });
}

/// Those that earn points: the share that is earned as points, 0 to 1, and the rubric's weight as the
/// maximum, or 1.
std::vector<GroupScore> GroupsByWeight(const ExerciseResult& result, const AssignedExercise& assigned,
                                       const std::set<std::string>& excluded) {
  std::vector<GroupScore> groups;
  const auto add = [&](const TestGroup& group, const std::function<bool(const TestResult&)>& is_in) {
    const PassedTests tests = CountPassed(*assigned.exercise, result.tests, [&](const TestResult& test) {
      return is_in(test) && !excluded.contains(test.name);
    });
    if (tests.counted == 0) return;
    const double share = static_cast<double>(tests.passed) / static_cast<double>(tests.counted);
    groups.push_back({.title = group.title,
                      .points = group.per_test ? share : AllOrNothing(share),
                      .max_points = group.points,
                      .passed = tests.passed,
                      .counted = tests.counted});
  };
  if (assigned.scoring.scoring == Scoring::kRubric) {
    for (const TestGroup* group : EarningGroups(assigned, excluded)) {
      add(*group, [&](const TestResult& test) { return IsIn(*group, test.name); });
    }
  } else if (IsPerTest(assigned)) {
    TestGroup all;
    all.points = 1;
    all.per_test = true;
    add(all, [](const TestResult&) { return true; });
  }
  return groups;
}

Status CheckGroups(const ExerciseResult& result, const AssignedExercise& assigned) {
  if (assigned.scoring.scoring != Scoring::kRubric) return Unit{};
  for (const TestGroup& group : assigned.scoring.groups) {
    const bool named =
        std::ranges::any_of(result.tests, [&](const TestResult& test) { return IsIn(group, test.name); });
    if (!named) return NoSuchTest(group, assigned.course_file, result);
  }
  return Unit{};
}

/// 0 to 1, by the tests alone, where no group of them counts.
double ShareWithoutGroups(const ExerciseResult& result, const AssignedExercise& assigned,
                          const std::set<std::string>& excluded) {
  // All tests are excluded, or of each group those that the unchanged starter fails.
  if (assigned.scoring.scoring == Scoring::kRubric) return 1;
  return AllOrNothing(PassedShare(*assigned.exercise, result.tests, [&](const TestResult& test) {
                        return !excluded.contains(test.name);
                      }).value_or(1));
}

}  // namespace

bool IsPerTest(const AssignedExercise& assigned) {
  const Scoring scoring = assigned.scoring.scoring;
  return scoring == Scoring::kPerTest ||
         (scoring == Scoring::kChapter && assigned.exercise->points_rule == PointsRule::kPerTest);
}

std::vector<const TestGroup*> EarningGroups(const AssignedExercise& assigned,
                                            const std::set<std::string>& excluded) {
  std::vector<const TestGroup*> earning;
  if (assigned.scoring.scoring != Scoring::kRubric) return earning;
  for (const TestGroup& group : assigned.scoring.groups) {
    if (EarnsPoints(group, *assigned.exercise, excluded)) earning.push_back(&group);
  }
  return earning;
}

double SpeedShare(const AssignedExercise& assigned) {
  const Exercise& exercise = *assigned.exercise;
  if (!exercise.speed || exercise.points <= 0) return 0;
  return assigned.scoring.speed_share.value_or(exercise.speed->points / exercise.points);
}

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
  if (result.tests.empty()) return 0.0;
  if (const Status named = CheckGroups(result, assigned); !named) return named.error();
  // The sum of what a student reads: a group whose tests are all excluded, or passed by the unchanged
  // starter, too, is not among them, and the others share its points.
  if (const auto groups = ScoreGroups(result, assigned, excluded); !groups.empty()) {
    double points = 0;
    for (const GroupScore& each : groups) points += each.points;
    return RoundPoints(points);
  }
  double share = ShareWithoutGroups(result, assigned, excluded);
  if (result.speed && result.speed->graded && share > 0) {
    const double for_speed = SpeedShare(assigned);
    share = (1 - for_speed) * share + for_speed * result.speed->share;
  }
  return RoundPoints(assigned.max_points * share);
}

std::vector<GroupScore> ScoreGroups(const ExerciseResult& result, const AssignedExercise& assigned,
                                    const std::set<std::string>& excluded) {
  std::vector<GroupScore> groups = GroupsByWeight(result, assigned, excluded);
  double possible = 0, earned = 0;
  for (const GroupScore& each : groups) {
    possible += each.max_points;
    earned += each.points;
  }
  if (possible <= 0) return {};
  const double for_speed = result.speed && result.speed->graded ? SpeedShare(assigned) : 0;
  if (for_speed > 0) {
    const double most = possible * for_speed;
    for (GroupScore& each : groups) each.max_points *= 1 - for_speed;
    groups.push_back(
        {.title = "", .points = earned > 0 ? result.speed->share : 0, .max_points = most, .is_speed = true});
  }
  std::vector<double> weights;
  for (const GroupScore& each : groups) weights.push_back(each.max_points);
  const std::vector<double> points = Apportion(assigned.max_points, weights);
  for (std::size_t i = 0; i < groups.size(); ++i) {
    groups[i].points = RoundPoints(groups[i].points * points[i]);
    groups[i].max_points = points[i];
  }
  return groups;
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
