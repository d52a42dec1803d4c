// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "grader/base/result.h"
#include "grader/core/layout.h"

namespace warplings {

/// A file of a new exercise.
struct NewFile {
  std::filesystem::path path;  ///< Relative to the tree's root.
  std::string text;
  bool append = false;  ///< True: append to an existing chapter.toml.
};

/// The files of a new exercise CHAPTER/EXERCISE, filled from grader/authoring/template/ with a small exercise
/// that is complete: it passes `warplings verify` as it is, and the author replaces it piece by piece. `name`
/// is "05_bank_conflicts/my_kernel"; a chapter that does not exist yet is created. Writes nothing. Usage
/// errors: a malformed name, a chapter number that is taken, files that exist.
Result<std::vector<NewFile>> PlanNewExercise(const std::string& name, const Layout& layout);

/// Writes the files. If one cannot be written, removes those written before it.
Status WriteNewFiles(const std::vector<NewFile>& files, const Layout& layout);

}  // namespace warplings
