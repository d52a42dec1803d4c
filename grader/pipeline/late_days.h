// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "grader/gradebook/cell_scorer.h"
#include "grader/gradebook/gradebook.h"

namespace warplings {

/// A course gives each student free late days for all assignments together. They are used in the order of
/// course.toml: what an assignment uses is left to it by those before it. Each assignment has a gradebook of
/// its own, so the gradebooks beside OUT are read: those of the same course, by title and term.

/// Sets StudentRow::late_days_before. Returns the earlier assignments that are not graded beside `out`, which
/// count as using none. Two gradebooks of one assignment are a usage error. Does nothing if the course has no
/// late days.
Result<std::vector<std::string>> CountEarlierLateDays(const ScoringScope& scope,
                                                      const std::filesystem::path& out,
                                                      const Workbook& workbook, ClassRows& rows);

/// The folders of later assignments whose students have other numbers of late days left since `out` was
/// graded.
Result<std::vector<std::filesystem::path>> FoldersToGradeAgain(const ScoringScope& scope,
                                                               const std::filesystem::path& out,
                                                               const Workbook& workbook);

}  // namespace warplings
