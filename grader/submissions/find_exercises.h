// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "grader/submissions/handed_in.h"
#include "grader/workbook/exercise.h"

namespace warplings {

/// One of several files that a student handed in, one after the other, for one exercise.
struct ExerciseAttempt {
  std::string path, text, answers;
  std::int64_t modified_at = 0;  ///< As HandedInFile::modified_at.
};

/// What a student handed in for one exercise.
struct ExerciseFile {
  enum class State {
    kFound,
    kMissing,
    kUnusable,  ///< Something was handed in, but there is no text to grade: a link, two different files, a
                ///< damaged archive, one of a kind that is not read, or a file of another name that may be
                ///< it.
  };
  const Exercise* exercise = nullptr;
  State state = State::kMissing;
  std::string path;  ///< The file's path, if there is one.
  std::string text;
  std::string answers;                    ///< Text of the answers file beside it, if the exercise has one.
  std::string problem;                    ///< For kUnusable: a sentence that says why.
  std::vector<ExerciseAttempt> attempts;  ///< For kFound: all attempts in order; the last one is `text`.
};

struct FoundExercises {
  std::vector<ExerciseFile> exercises;  ///< One for every exercise of the workbook, in the workbook's order.
  std::vector<std::string> remarks;     ///< Sentences for the instructor about unexpected files and folders.
  std::vector<std::string>
      unclaimed;  ///< Programs that are no exercise's, and are not said to be meant for one.
};

/// Finds each exercise's file: at chapters/CHAPTER/ID.cu, else in a folder CHAPTER anywhere, else anywhere,
/// else by a name that differs in case only, else by the name of a numbered copy (ID-1.cu, "ID (1).cu"), else
/// in the same order by a name with another ending (ID.cpp, ID.cu.txt: AsCuPath). Copies with the same text
/// count as one file. Different files at the same rank make the exercise unusable, because choosing one would
/// be a guess. Files that an LMS numbered in order of arrival, and files in folders attempt_1, attempt_2, …,
/// are attempts: all are returned, and the last one is graded.
FoundExercises FindExercises(const HandedIn& handed_in, const Workbook& workbook);

}  // namespace warplings
