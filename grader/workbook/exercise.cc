// SPDX-License-Identifier: Apache-2.0
#include "grader/workbook/exercise.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <optional>

#include "grader/base/spelling.h"

namespace warplings {
namespace {

std::string FullName(const Exercise& exercise) {
  return exercise.chapter + "/" + exercise.id;
}

std::optional<int> ParseNumber(const std::string& text) {
  int number = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (fault != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

/// A path was typed where a name belongs.
bool LooksLikeFile(const std::string& what) {
  return what.ends_with(".cu") || what.starts_with("/") || what.starts_with("./") || what.starts_with("~");
}

/// What to say of a name that nothing has.
Error UnknownName(const Workbook& workbook, const std::string& what) {
  std::error_code fault;
  if (LooksLikeFile(what)) {
    return std::filesystem::exists(what, fault)
               ? UsageError("'" + what + "' is a file, and an exercise is asked for here",
                            "To check that file: warplings check EXERCISE --file " + what)
               : UsageError("there is no file '" + what + "'", "Exercises have names: see warplings list.");
  }
  std::vector<std::string> names;
  for (const Chapter& chapter : workbook.chapters) {
    names.push_back(chapter.id);
    for (const Exercise& exercise : chapter.exercises) names.push_back(exercise.id);
  }
  const std::string bare = what.substr(what.find('/') == what.npos ? 0 : what.find('/') + 1);
  const std::string meant = ClosestCandidate(bare, names);
  return UsageError("there is no chapter or exercise '" + what + "'" +
                        (meant.empty() ? "" : "; did you mean " + meant + "?"),
                    "All names: warplings list");
}

std::string JoinNames(const std::vector<const Exercise*>& exercises) {
  std::string names;
  for (const Exercise* exercise : exercises) names += (names.empty() ? "" : ", ") + FullName(*exercise);
  return names;
}

}  // namespace

double ScorePoints(const Exercise& exercise, std::span<const TestResult> tests,
                   const std::optional<SpeedResult>& speed) {
  if (tests.empty()) return 0;
  const auto passed = static_cast<double>(std::ranges::count(tests, Verdict::kPassed, &TestResult::verdict));
  const double share = passed / static_cast<double>(tests.size());
  if (exercise.points_rule == PointsRule::kAllTests && share < 1) return 0;
  if (!exercise.speed || !speed || !speed->graded) return exercise.points * share;
  const double for_speed = exercise.speed->points;
  return (exercise.points - for_speed) * share + (share > 0 ? for_speed * speed->share : 0);
}

Result<std::vector<const Exercise*>> SelectExercises(const Workbook& workbook, const std::string& what) {
  const std::optional<int> number = ParseNumber(what);
  std::vector<const Exercise*> of_chapter, by_id;
  for (const Chapter& chapter : workbook.chapters) {
    for (const Exercise& exercise : chapter.exercises) {
      if (FullName(exercise) == what) return std::vector<const Exercise*>{&exercise};
      if (chapter.id == what || chapter.number == number) of_chapter.push_back(&exercise);
      if (exercise.id == what) by_id.push_back(&exercise);
    }
  }
  if (!of_chapter.empty()) return of_chapter;
  if (by_id.size() == 1) return by_id;
  if (by_id.size() > 1) {
    return UsageError("'" + what + "' is the name of more than one exercise: " + JoinNames(by_id),
                      "Give the chapter too, as in " + FullName(*by_id.front()) + ".");
  }
  return UnknownName(workbook, what);
}

}  // namespace warplings
