// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "grader/cli/option.h"
#include "grader/cluster/slurm.h"
#include "grader/pipeline/grade_outputs.h"
#include "grader/pipeline/grade_plan.h"

namespace warplings {

/// What `grade` was asked for about other machines.
struct ElsewhereOptions {
  bool on_slurm = false;
  std::uint64_t tasks = 8;   ///< Of the job array.
  std::uint64_t slices = 0;  ///< Make so many and grade nothing; 0: not asked for.
  bool merge = false;        ///< Take in what slices hold and grade nothing.
  cluster::SlurmRequest request;

  bool any() const { return on_slurm || slices > 0 || merge; }
};

std::vector<Option> DescribeElsewhere(ElsewhereOptions& options);

/// The device for tasks that run elsewhere. A card is asked for on a node: this machine may have none.
Result<DeviceChoice> ChooseDeviceElsewhere(const std::string& device, const GradeOutputs& outputs,
                                           ElsewhereOptions& options);

/// Takes the results of slices of an earlier run into the gradebook, and removes those that nothing is
/// missing of. Jobs of an earlier run that was killed are cancelled first.
Status TakeInSlices(Gradebook& gradebook, const GradeOutputs& outputs, const ElsewhereOptions& options);

/// Does with the plan what was asked for: leaves slices behind, or has them graded by Slurm and merged.
Status GradeElsewhere(const GradePlan& plan, const ClassSettings& settings, const GradeOutputs& outputs,
                      const ElsewhereOptions& options, const Layout& layout, Gradebook& gradebook);

/// After an interruption: nothing of ours is left in Slurm's queue.
void CancelElsewhere(const GradeOutputs& outputs, const ElsewhereOptions& options);

}  // namespace warplings
