// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "grader/pipeline/check_exercise.h"

namespace warplings {

struct CheckJob {
  Submission submission;
  CheckSettings settings;
};

/// Told about the jobs by their number in the list, one call at a time.
struct ManyListener {
  std::function<void(std::size_t job, const std::string& what)> on_progress = {};
  /// In the order of the list: each as soon as it and all before it are done.
  std::function<void(std::size_t job, const Result<ExerciseResult>& result)> on_result = {};
  /// As soon as it is done, whatever its place in the list; before on_result. False: no further job is
  /// started.
  std::function<bool(std::size_t job, const Result<ExerciseResult>& result)> on_finished = {};
};

/// As many checks at once as is sensible here: one a core.
std::size_t DefaultJobs();

/// Checks all jobs, `parallel` at a time. The same results as one after the other: checks share nothing but
/// the cache of compiled workers.
void CheckMany(const std::vector<CheckJob>& jobs, std::size_t parallel, const Layout& layout,
               const ManyListener& listener);

}  // namespace warplings
