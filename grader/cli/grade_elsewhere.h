// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "grader/cli/option.h"
#include "grader/pipeline/grade_outputs.h"
#include "grader/pipeline/grade_plan.h"
#include "grader/pipeline/slurm.h"

namespace warplings {

/// The options of `grade` about other machines.
struct ElsewhereOptions {
  bool on_slurm = false;
  std::uint64_t tasks = 8;   ///< Size of the job array.
  std::uint64_t slices = 0;  ///< Write this many slices and grade nothing; 0: not requested.
  bool merge = false;        ///< Merge the results of slices and grade nothing.
  cluster::SlurmRequest request;

  bool any() const { return on_slurm || slices > 0 || merge; }
};

std::vector<Option> DescribeElsewhere(ElsewhereOptions& options);

/// The device for tasks on other machines. If it is a card, a node is asked for its properties, because this
/// machine may have none.
Result<DeviceChoice> ChooseDeviceElsewhere(const std::string& device, const GradeOutputs& outputs,
                                           ElsewhereOptions& options);

/// Merges the slices of an earlier run into the gradebook, and removes those that are complete. First cancels
/// jobs that an earlier, killed run left.
Status TakeInSlices(Gradebook& gradebook, const GradeOutputs& outputs, const ElsewhereOptions& options);

/// Executes the plan as requested: only writes the slices, or has Slurm grade them and merges the results.
Status GradeElsewhere(const GradePlan& plan, const ClassSettings& settings, const GradeOutputs& outputs,
                      const ElsewhereOptions& options, const Layout& layout, Gradebook& gradebook);

/// Removes our jobs from Slurm's queue after an interruption.
void CancelElsewhere(const GradeOutputs& outputs, const ElsewhereOptions& options);

}  // namespace warplings
