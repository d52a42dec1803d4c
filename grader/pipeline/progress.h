// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "grader/base/result.h"
#include "grader/core/verdict.h"

namespace warplings {

/// The last check of an exercise that counts as progress: of the workbook's file, or of another file of the
/// student that passed.
struct ProgressEntry {
  Verdict verdict = Verdict::kNotRun;
  /// HashText of the checked file; the entry is outdated if the file has changed since.
  std::string file_hash = {};
  double points = 0;
  std::string file = {};  ///< Path of the other file (`--file`); empty for the workbook's file.
  /// Points of the last check that passed; nothing if none has. A later check that fails leaves it as it is.
  std::optional<double> pass = {};
  /// The workbook's file for the exercise that passed: a pass says nothing about the starter in another
  /// workbook. Empty if unknown.
  std::string passed_in = {};
};

/// True if a check of this exercise has passed, whatever later ones said.
bool HasPassed(const ProgressEntry& entry);

/// The entry after a check: `check` itself, with the pass of `before` if it did not pass.
ProgressEntry AfterCheck(const ProgressEntry& before, ProgressEntry check);

/// By "CHAPTER/EXERCISE".
using Progress = std::map<std::string, ProgressEntry>;

/// 64-bit FNV-1a. Not secure: it only shows whether a student's file has changed.
std::string HashText(std::string_view text);

/// $XDG_STATE_HOME/warplings/progress.json, or below ~/.local/state (XDG Base Directory Specification 0.8: a
/// relative XDG_STATE_HOME is ignored). Never in the student's tree. Empty if there is no home folder.
std::filesystem::path ProgressFile();

/// A missing or damaged file gives an empty progress; checking again restores it.
Progress LoadProgress(const std::filesystem::path& file);

Status SaveProgress(const std::filesystem::path& file, const Progress& progress);

}  // namespace warplings
