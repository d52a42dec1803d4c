// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <vector>

#include "grader/base/result.h"
#include "grader/gradebook/gradebook.h"
#include "grader/gradebook/slice.h"
#include "grader/pipeline/grade_plan.h"

namespace warplings {

/// Assigns each key to a slice, counted from 0. The sizes of slices differ by at most 1, and so do the
/// numbers of texts of each exercise in them, because some exercises take longer to grade. The assignment
/// does not depend on the order of `keys`.
std::vector<std::size_t> DealSlices(const std::vector<ResultKey>& keys, std::size_t slices);

/// OUT/slices/slice-0001.sqlite, …; `number` counts from 1.
std::filesystem::path SliceFile(const std::filesystem::path& folder, std::size_t number);
/// Files next to it while it is graded: its progress, and the output.
std::filesystem::path SliceProgressFile(const std::filesystem::path& slice);
std::filesystem::path SliceLogFile(const std::filesystem::path& slice);

/// The slice files in `folder`, sorted by number. Empty if there is no such folder.
std::vector<std::filesystem::path> FindSlices(const std::filesystem::path& folder);

/// Writes the plan's texts as at most `count` slices, none of them empty. Earlier slices are overwritten, so
/// they must have been merged.
Result<std::vector<std::filesystem::path>> WriteSlices(const GradePlan& plan, const ClassSettings& settings,
                                                       std::size_t count,
                                                       const std::filesystem::path& folder);

struct MergedSlice {
  std::size_t taken = 0;    ///< New results that were copied.
  std::size_t missing = 0;  ///< Texts of the slice without a result.
};

/// Copies a slice's results into the class's gradebook; the slice is kept. An error if a process is working
/// on it.
Result<MergedSlice> MergeSlice(Gradebook& gradebook, const std::filesystem::path& slice);

/// Removes a slice and the files next to it.
void RemoveSlice(const std::filesystem::path& slice);

/// Writes a text to a file below `folder` and makes the job that checks it.
Result<CheckJob> MakeSliceJob(const SliceText& text, const Exercise& exercise, const DeviceChoice& device,
                              const std::filesystem::path& folder);

/// An error if this machine's results would not be those that the slice requires, because suite, grader or
/// device differ.
Status CheckSliceFits(const std::vector<SliceText>& texts, const Workbook& workbook, const Layout& layout,
                      const DeviceChoice& device);

/// The exercise of a key; null if the workbook does not have it.
const Exercise* ExerciseOf(const ResultKey& key, const Workbook& workbook);

}  // namespace warplings
