// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "grader/exercise/exercise.h"
#include "grader/submissions/handed_in.h"

namespace warplings {

/// One of several files that came one after the other for one exercise.
struct ExerciseAttempt {
  std::string path, text, answers;
  std::int64_t modified_at = 0;  ///< As HandedInFile's.
};

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
  std::string answers;                    ///< Of the answers file beside it, where the exercise has one.
  std::string problem;                    ///< A sentence about an unusable one.
  std::vector<ExerciseAttempt> attempts;  ///< Of a found one, in their order; the last is the one above.
};

struct FoundExercises {
  std::vector<ExerciseFile> exercises;  ///< Every exercise of the workbook, in its order.
  std::vector<std::string> remarks;     ///< Sentences for the instructor: files of no exercise, odd places.
};

/// Finds each exercise's file: at chapters/CHAPTER/ID.cu, else in a folder CHAPTER anywhere, else anywhere,
/// else by a name that differs in case only, else by the name of a numbered copy (ID-1.cu, "ID (1).cu").
/// Copies with the same text are one file; different ones at the same rank are unusable, because it would be
/// a guess which one is meant. Files that an LMS numbered as they came in, and files in folders attempt_1,
/// attempt_2, …, are attempts: all of them are there, and the last one is taken.
FoundExercises FindExercises(const HandedIn& handed_in, const Workbook& workbook);

}  // namespace warplings
