// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "grader/course/roster.h"
#include "grader/gradebook/cell_scorer.h"
#include "grader/gradebook/gradebook.h"
#include "grader/pipeline/check_many.h"
#include "grader/submissions/class_folder.h"

namespace warplings {

/// What a class handed in, and what of it has to be graded.
struct GradePlan {
  ClassRows rows;
  std::size_t unmatched = 0;  ///< Entries that are nobody's of the roster.
  /// Each text that the gradebook has no result of, once; keys[i] is of jobs[i].
  std::vector<ResultKey> keys;
  std::vector<CheckJob> jobs;
  std::size_t found = 0, missing = 0, unusable = 0;  ///< Of rows.submissions.
  std::size_t distinct = 0;                          ///< Texts among the found ones.
};

struct GradePlanRequest {
  std::filesystem::path folder;   ///< Of the class.
  std::filesystem::path scratch;  ///< Where the texts to be graded are put, a folder for each.
  ClassSettings settings;
  DeviceChoice device;
  const ScoringScope* scope = nullptr;  ///< What is graded.
  const Roster* roster = nullptr;       ///< Null without one.
};

/// Reads the whole class. Call it before any thread is started: archives are read in forked children.
Result<GradePlan> MakeGradePlan(const GradePlanRequest& request, const Workbook& workbook,
                                const Layout& layout, const Gradebook& gradebook);

}  // namespace warplings
