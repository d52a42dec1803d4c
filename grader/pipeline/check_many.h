// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
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

/// Bytes of memory for each of `parallel` checks' device processes: together half of the machine's, but never
/// less than 1 GiB, which every exercise can do with.
std::uint64_t MemoryShare(std::size_t parallel);

/// Checks all jobs, `parallel` at a time. The same results as one after the other: checks share nothing but
/// the cache of compiled workers.
void CheckMany(const std::vector<CheckJob>& jobs, std::size_t parallel, const Layout& layout,
               const ManyListener& listener);

/// Runs work(job, leave) for each job from 0 to count - 1 until `stopped`. At most `parallel` of them are at
/// work at once, and so many more, `ahead`, have called `leave`: they wait for something else than a core,
/// such as a card, and others take their place. A job that calls it does not get its place back.
void RunJobs(std::size_t count, std::size_t parallel, std::size_t ahead, const std::function<bool()>& stopped,
             const std::function<void(std::size_t job, const std::function<void()>& leave)>& work);

}  // namespace warplings
