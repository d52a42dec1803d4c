// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "grader/exercise/exercise.h"
#include "grader/pipeline/progress.h"

namespace warplings {

enum class ExerciseState {
  kOpen,     ///< Never checked, or checked and not passed.
  kPassed,   ///< The file as it is now has passed.
  kChanged,  ///< It passed, and its file was edited since.
};

/// "01_boundary_checks/tiled_matmul", the key of progress.
std::string FullName(const Exercise& exercise);

/// As a user would type it: relative to the working directory where it lies below that, else as it is.
std::string DisplayPath(const std::filesystem::path& path);

/// A whole file; a usage error where it is missing, unreadable, no ordinary file or larger than any
/// exercise's file could be.
Result<std::string> ReadSubmission(const std::filesystem::path& file);

/// Text of the answers file beside a submission, F.toml for F.cu, or else under the exercise's own name: ""
/// where the exercise asks no questions, where there is no such file, or where it is no ordinary file of at
/// most 64 KiB (the suite then says that the answers are missing).
std::string ReadAnswers(const Exercise& exercise, const std::filesystem::path& submission);

/// Of a submission with its answers: what progress remembers of it.
std::string HashSubmission(const std::string& source, const std::string& answers);

ExerciseState StateOf(const Exercise& exercise, const Progress& progress);

/// The first exercise that has not passed as it stands; null when all have.
const Exercise* NextUnsolved(const Workbook& workbook, const Progress& progress);

}  // namespace warplings
