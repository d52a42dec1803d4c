// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "grader/pipeline/progress.h"
#include "grader/workbook/exercise.h"

namespace warplings {

enum class ExerciseState {
  kOpen,     ///< No check has passed.
  kPassed,   ///< The present version of the file has passed.
  kChanged,  ///< It has passed, but its file was edited since.
  kBroken,   ///< It has passed, but the present version of its file does not.
};

/// "01_boundary_checks/tiled_matmul", the key of progress.
std::string FullName(const Exercise& exercise);

/// The path as a user would type it: relative if it is below the working directory, otherwise unchanged.
std::string DisplayPath(const std::filesystem::path& path);

/// Reads a whole file. A usage error if it is missing, unreadable, not a regular file, or larger than an
/// exercise's file can be.
Result<std::string> ReadSubmission(const std::filesystem::path& file);

/// Text of the answers file beside a submission: F.toml for F.cu, or else the file with the exercise's own
/// name. "" if the exercise asks no questions, or if there is no such regular file of at most 64 KiB (the
/// suite then says that the answers are missing).
std::string ReadAnswers(const Exercise& exercise, const std::filesystem::path& submission);

/// The hash of a submission with its answers, for ProgressEntry::file_hash.
std::string HashSubmission(const std::string& source, const std::string& answers);

ExerciseState StateOf(const Exercise& exercise, const Progress& progress);

/// The absolute path of the workbook's file, for ProgressEntry::passed_in.
std::string PlaceOf(const Exercise& exercise);

/// The first exercise that has never passed, from `from` ("CHAPTER/EXERCISE") on and then from the beginning:
/// who works in chapter 3 is not sent back to chapter 1. If all have passed, the first whose present file has
/// not; null if those have, too.
const Exercise* NextUnsolved(const Workbook& workbook, const Progress& progress,
                             const std::string& from = "");

}  // namespace warplings
