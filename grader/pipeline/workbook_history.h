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
#include "grader/workbook/exercise.h"

namespace warplings {

/// What is remembered about a student's checks of one exercise, in addition to its progress.
struct ExerciseHistory {
  std::size_t failed_checks = 0;  ///< Since it last passed.
  std::string misconception;      ///< Recognised in the last check; "" for none.
  std::string hinted_for;         ///< The misconception for which the last hint was chosen.
  std::set<std::size_t> hints;    ///< Indices in Exercise::hints of the hints that were shown.
};

/// The checks, hints and drills of one workbook.
struct WorkbookHistory {
  std::string last_checked;                          ///< "CHAPTER/EXERCISE".
  std::map<std::string, ExerciseHistory> exercises;  ///< By "CHAPTER/EXERCISE".
  std::set<std::string> drills;                      ///< Ids of the drills that were answered correctly.
};

/// The file for one workbook, in the folder of the progress file. Each workbook has its own, because
/// different hints were shown in each. Empty if there is no home folder.
std::filesystem::path WorkbookHistoryFile(const std::filesystem::path& workbook_root);

/// A missing or damaged file gives an empty state.
WorkbookHistory LoadWorkbookHistory(const std::filesystem::path& file);
Status SaveWorkbookHistory(const std::filesystem::path& file, const WorkbookHistory& state);

/// Records a check of the student's own file.
void NoteCheck(WorkbookHistory& state, const ExerciseResult& result);

/// Index in Exercise::hints of the hint to show next: once for each misconception the hint that fits it best,
/// otherwise the first that was not shown. Nothing if all were shown. `exercise` must have the English texts,
/// because their words are compared.
std::optional<std::size_t> NextHint(const Exercise& exercise, const ExerciseHistory& history);

}  // namespace warplings
