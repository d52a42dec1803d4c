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

/// The slice of each of these keys, from 0 on: sizes differ by 1 at most, and so do the shares of each
/// exercise, since some take longer to grade than others. The same keys in another order are dealt the same.
std::vector<std::size_t> DealSlices(const std::vector<ResultKey>& keys, std::size_t slices);

/// OUT/slices/slice-0001.sqlite, …; `number` counts from 1.
std::filesystem::path SliceFile(const std::filesystem::path& folder, std::size_t number);
/// What stands beside it while it is graded: how far it is, and what was said.
std::filesystem::path SliceProgressFile(const std::filesystem::path& slice);
std::filesystem::path SliceLogFile(const std::filesystem::path& slice);

/// The slice files in `folder`, by number. None where there is no such folder.
std::vector<std::filesystem::path> FindSlices(const std::filesystem::path& folder);

/// Writes what the plan has to grade as at most `count` slices, none of them empty. Slices of before must be
/// merged already: they are overwritten.
Result<std::vector<std::filesystem::path>> WriteSlices(const GradePlan& plan, const ClassSettings& settings,
                                                       std::size_t count,
                                                       const std::filesystem::path& folder);

struct MergedSlice {
  std::size_t taken = 0;    ///< Results that were new.
  std::size_t missing = 0;  ///< Of the slice's texts, without a result.
};

/// Takes a slice's results into the class's gradebook; the slice stays. An error where a process works on it.
Result<MergedSlice> MergeSlice(Gradebook& gradebook, const std::filesystem::path& slice);

/// A slice with all that stands beside it.
void RemoveSlice(const std::filesystem::path& slice);

/// A text as a file below `folder`, ready to be checked.
Result<CheckJob> MakeSliceJob(const SliceText& text, const Exercise& exercise, const DeviceChoice& device,
                              const std::filesystem::path& folder);

/// An error where results of this machine would not be those that the slice asks for: another suite, another
/// grader, another device.
Status CheckSliceFits(const std::vector<SliceText>& texts, const Workbook& workbook, const Layout& layout,
                      const DeviceChoice& device);

/// The exercise of a key; null where the workbook has none.
const Exercise* ExerciseOf(const ResultKey& key, const Workbook& workbook);

}  // namespace warplings
