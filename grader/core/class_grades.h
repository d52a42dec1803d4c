// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "grader/core/exercise_result.h"

namespace warplings {

/// A text that was graded, which several students may have handed in.
struct GradedText {
  ExerciseResult result;  ///< Without its launches, which only `report` shows.
  std::string report;     ///< What the student would see in a terminal, without colour.
};

/// One student's one exercise.
struct GradeCell {
  enum class State {
    kGraded,
    kMissing,
    kUnusable,   ///< Something was handed in that cannot be graded; `problem` says why.
    kNotGraded,  ///< A fault of the grader's, or not reached yet: never a zero.
  };
  State state = State::kMissing;
  std::string file;
  std::string problem;
  std::optional<std::size_t> text;  ///< Number in ClassGrades::texts; also of a fault of the grader's.
  double points = 0;
};

struct StudentGrades {
  std::string name;
  std::string page;  ///< A file name without ending: of the student's page, and of the folder for Gradescope.
  std::string handed_in_as;
  std::vector<std::string> remarks;
  std::vector<GradeCell> cells;  ///< One for each of ClassGrades::exercises.
  double points = 0;
  bool complete = true;  ///< False: an exercise is not graded, and `points` is not final.
};

/// How many of those whose file ran passed a test.
struct TestRate {
  std::string name, title;
  std::size_t passed = 0, total = 0;
};

/// Who was met with a misconception.
struct MisconceptionRate {
  std::string id, title, message;
  std::vector<std::size_t> students;  ///< Numbers in ClassGrades::students.
};

struct ClassExercise {
  std::string chapter, chapter_title, id, title;
  double max_points = 0;
  std::size_t graded = 0, passed = 0, missing = 0, unusable = 0, not_graded = 0;  ///< Students.
  std::vector<TestRate> tests;                                                    ///< In the suite's order.
  std::vector<MisconceptionRate> misconceptions;  ///< The most frequent first.
};

/// A whole class: what the gradebook's exports and the class report are drawn from.
struct ClassGrades {
  std::string device;
  std::uint64_t seed = 0;
  double max_points = 0;
  std::vector<ClassExercise> exercises;
  std::vector<GradedText> texts;
  std::vector<StudentGrades> students;
};

}  // namespace warplings
