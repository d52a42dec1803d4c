// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "grader/exercise/exercise.h"
#include "grader/submissions/handed_in.h"

namespace warplings {

/// What a student handed in for one exercise.
struct ExerciseFile {
  enum class State {
    kFound,
    kMissing,
    kUnusable,  ///< There is something, but no text to grade: a link, two different files, a damaged archive.
  };
  const Exercise* exercise = nullptr;
  State state = State::kMissing;
  std::string path;  ///< Of the file, where there is one.
  std::string text;
  std::string answers;  ///< Of the answers file beside it, where the exercise has one.
  std::string problem;  ///< A sentence about an unusable one.
};

struct FoundExercises {
  std::vector<ExerciseFile> exercises;  ///< Every exercise of the workbook, in its order.
  std::vector<std::string> remarks;     ///< Sentences for the instructor: files of no exercise, odd places.
};

/// Finds each exercise's file: at chapters/CHAPTER/ID.cu, else in a folder CHAPTER anywhere, else anywhere,
/// else by a name that differs in case only, else by the name of a numbered copy (ID-1.cu, "ID (1).cu").
/// Copies with the same text are one file; different ones at the same rank are unusable, because it would be
/// a guess which one is meant.
FoundExercises FindExercises(const HandedIn& handed_in, const Workbook& workbook);

}  // namespace warplings
