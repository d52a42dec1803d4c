// SPDX-License-Identifier: Apache-2.0
#include "grader/workbook/exercise.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <optional>

#include "grader/base/spelling.h"
#include "grader/messages/workbook.h"

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

/// The exercise whose file in the workbook this path is: tab completion offers paths.
const Exercise* ExerciseOfPath(const Workbook& workbook, const std::string& path) {
  if (!LooksLikeFile(path)) return nullptr;
  for (const Chapter& chapter : workbook.chapters) {
    for (const Exercise& exercise : chapter.exercises) {
      std::error_code fault;
      if (std::filesystem::equivalent(exercise.starter, path, fault)) return &exercise;
    }
  }
  return nullptr;
}

/// Chapters are in the order of their numbers.
Error NoChapterNumber(const Workbook& workbook, const std::string& typed) {
  const int first = workbook.chapters.front().number, last = workbook.chapters.back().number;
  const bool has_all = last - first + 1 == std::ssize(workbook.chapters);
  if (has_all && last > first)
    return UsageError(say::no_chapter_number(typed, first, last), say::all_names());
  std::string numbers;
  for (const Chapter& chapter : workbook.chapters)
    numbers += (numbers.empty() ? "" : ", ") + std::to_string(chapter.number);
  return UsageError(say::no_chapter_number_of(typed, numbers), say::all_names());
}

/// What to say of a name that nothing has.
Error UnknownName(const Workbook& workbook, const std::string& what) {
  std::error_code fault;
  if (LooksLikeFile(what)) {
    return std::filesystem::exists(what, fault)
               ? UsageError(say::file_where_exercise_belongs(what), say::to_check_file(what))
               : UsageError(say::no_such_file_typed(what), say::exercises_have_names());
  }
  if (ParseNumber(what) && !workbook.chapters.empty()) return NoChapterNumber(workbook, what);
  std::vector<std::string> names;
  for (const Chapter& chapter : workbook.chapters) {
    names.push_back(chapter.id);
    for (const Exercise& exercise : chapter.exercises) names.push_back(exercise.id);
  }
  const std::string bare = what.substr(what.find('/') == what.npos ? 0 : what.find('/') + 1);
  return UsageError(WithClosest(say::no_chapter_or_exercise(what), bare, names), say::all_names());
}

std::string JoinNames(const std::vector<const Exercise*>& exercises) {
  std::string names;
  for (const Exercise* exercise : exercises) names += (names.empty() ? "" : ", ") + FullName(*exercise);
  return names;
}

}  // namespace

PassedTests CountPassed(const Exercise& exercise, std::span<const TestResult> tests,
                        const std::function<bool(const TestResult&)>& counts) {
  PassedTests count;
  for (const TestResult& test : tests) {
    if (!counts(test)) continue;
    const bool passed = test.verdict == Verdict::kPassed;
    const bool starter_passes =
        std::ranges::find(exercise.starter_fails, test.name) == exercise.starter_fails.end();
    if (passed && starter_passes) continue;
    ++count.counted;
    count.passed += passed;
  }
  return count;
}

std::optional<double> PassedShare(const Exercise& exercise, std::span<const TestResult> tests,
                                  const std::function<bool(const TestResult&)>& counts) {
  const PassedTests count = CountPassed(exercise, tests, counts);
  if (count.counted == 0) return std::nullopt;
  return static_cast<double>(count.passed) / static_cast<double>(count.counted);
}

double ScorePoints(const Exercise& exercise, std::span<const TestResult> tests,
                   const std::optional<SpeedResult>& speed) {
  if (tests.empty()) return 0;
  const double share = PassedShare(exercise, tests).value_or(1);
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
    return UsageError(say::name_of_several_exercises(what, JoinNames(by_id)),
                      say::give_chapter_too(FullName(*by_id.front())));
  }
  if (const Exercise* of_path = ExerciseOfPath(workbook, what)) return std::vector<const Exercise*>{of_path};
  return UnknownName(workbook, what);
}

Result<std::vector<const Exercise*>> SelectTyped(const Workbook& workbook, const std::string& what) {
  constexpr std::size_t kFewest = 3;
  auto found = SelectExercises(workbook, what);
  if (found || what.size() < kFewest) return found;
  std::vector<const Exercise*> by_part;
  for (const Chapter& chapter : workbook.chapters) {
    for (const Exercise& exercise : chapter.exercises) {
      if (exercise.id.find(what) != std::string::npos) by_part.push_back(&exercise);
    }
  }
  if (by_part.size() < 2) return by_part.empty() ? found : by_part;
  std::string names;
  for (const Exercise* exercise : by_part) names += (names.empty() ? "" : ", ") + exercise->id;
  return UsageError(say::part_of_several_names(what, names), say::write_more_of_the_name());
}

}  // namespace warplings
