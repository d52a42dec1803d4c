// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>

#include "grader/base/result.h"
#include "grader/core/verdict.h"

namespace warplings {

/// The last check of an exercise: of the workbook's file, or of one of the student's own that passed.
struct ProgressEntry {
  Verdict verdict = Verdict::kNotRun;
  std::string file_hash;  ///< HashText of the file as checked: an edit since then makes the entry old.
  double points = 0;
  std::string file = {};  ///< The student's own, where it is not the workbook's (`--file`).
};

/// By "chapter/exercise".
using Progress = std::map<std::string, ProgressEntry>;

/// Not a signature: it only tells whether a student's own file has changed since (64-bit FNV-1a).
std::string HashText(std::string_view text);

/// $XDG_STATE_HOME/warplings/progress.json, or below ~/.local/state (XDG Base Directory Specification 0.8:
/// a relative XDG_STATE_HOME is ignored). Never in the student's tree. Empty where there is no home.
std::filesystem::path ProgressFile();

/// An absent or damaged file is no progress: what it holds can be had again by checking.
Progress LoadProgress(const std::filesystem::path& file);

Status SaveProgress(const std::filesystem::path& file, const Progress& progress);

}  // namespace warplings
