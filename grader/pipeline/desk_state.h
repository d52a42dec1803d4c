// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "grader/base/result.h"
#include "grader/core/exercise_result.h"
#include "grader/exercise/exercise.h"

namespace warplings {

/// What is remembered of a student's work on one exercise, beside its progress.
struct ExerciseDesk {
  std::size_t failed_checks = 0;  ///< Since it passed last.
  std::string misconception;      ///< Seen in the last check; "" for none.
  std::string hinted_for;         ///< The misconception that a hint was chosen for last.
  std::set<std::size_t> hints;    ///< Places in Exercise::hints of those that were shown.
};

/// Of one workbook.
struct DeskState {
  std::string last_checked;                       ///< "chapter/exercise".
  std::map<std::string, ExerciseDesk> exercises;  ///< By that name.
};

/// A file of its own for each workbook, beside the progress: two workbooks have different hints to show.
/// Empty where there is no home folder.
std::filesystem::path DeskFile(const std::filesystem::path& workbook_root);

/// An absent or damaged file is an empty state.
DeskState LoadDesk(const std::filesystem::path& file);
Status SaveDesk(const std::filesystem::path& file, const DeskState& state);

/// Remembers a check of the student's own file.
void NoteCheck(DeskState& state, const ExerciseResult& result);

/// The hint to show next, its place in Exercise::hints: once for each misconception the one that says most
/// about it, else the first that was not shown. Nothing where all were shown. `exercise` has the English
/// texts, whose words are compared.
std::optional<std::size_t> NextHint(const Exercise& exercise, const ExerciseDesk& desk);

}  // namespace warplings
