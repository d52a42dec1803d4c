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

/// Callbacks about jobs, which are numbered by their position in the list. Never called concurrently.
struct ManyListener {
  std::function<void(std::size_t job, const Message& what)> on_progress = {};
  /// Called once for each test that takes longer than a minute.
  std::function<void(std::size_t job, const Message& what)> on_slow = {};
  /// Called in the order of the list: for each job as soon as it and all jobs before it are done.
  std::function<void(std::size_t job, const Result<ExerciseResult>& result)> on_result = {};
  /// Called as soon as a job is done, before on_result. If it returns false, no further job is started. If it
  /// throws, because the result is too large to be stored, say, it is called again with a grader fault.
  std::function<bool(std::size_t job, const Result<ExerciseResult>& result)> on_finished = {};
};

/// The number of checks to run at once: one per core.
std::size_t DefaultJobs();

/// Bytes of memory for the device process of each of `parallel` checks: together half of the memory
/// that may be used (usable_memory.h), but at least 1 GiB each, which is enough for every exercise.
std::uint64_t MemoryShare(std::size_t parallel);

/// Checks all jobs, `parallel` at a time. Results are the same as one after the other, because checks share
/// only the cache of compiled workers. What a check throws is a grader fault of that job (base/thrown.h), and
/// the others go on. What a listener throws ends the list: no further job is started, and it is thrown from
/// here.
void CheckMany(const std::vector<CheckJob>& jobs, std::size_t parallel, const Layout& layout,
               const ManyListener& listener);

/// Runs work(job, leave) for each job from 0 to count - 1 until `stopped` returns true. At most `parallel`
/// jobs use a core at once. A job that waits for something else, such as a card, calls `leave`, and another
/// job takes its place; at most `ahead` jobs may have left. A job that has left does not get a place back.
/// `work` throws nothing. Where the machine allows fewer threads, fewer jobs run at once.
void RunJobs(std::size_t count, std::size_t parallel, std::size_t ahead, const std::function<bool()>& stopped,
             const std::function<void(std::size_t job, const std::function<void()>& leave)>& work);

}  // namespace warplings
