// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "grader/base/result.h"

namespace warplings::cluster {

/// Our tasks that have not ended, as the queue reports them.
struct QueueView {
  std::set<std::size_t> running, waiting;
  std::string reason;  ///< Why one of them is waiting, in the queue's words: "Resources".
};

/// The part of a batch system that we need. Tasks are numbered from 1.
class TaskQueue {
 public:
  TaskQueue() = default;
  TaskQueue(const TaskQueue&) = delete;
  TaskQueue& operator=(const TaskQueue&) = delete;
  virtual ~TaskQueue() = default;
  virtual Status Submit(const std::vector<std::size_t>& tasks) = 0;
  virtual Result<QueueView> Poll() = 0;
  virtual void Cancel() = 0;  ///< Cancels all our tasks and waits a while until they are gone.
};

/// The progress of a task, in texts graded.
struct TaskWork {
  std::size_t done = 0, total = 0;
};

struct ArrayListener {
  /// Progress of a running task: cheap, may be slightly outdated.
  std::function<TaskWork(std::size_t task)> peek;
  /// Fetches the results of a task that no longer runs, and returns its exact progress.
  std::function<Result<TaskWork>(std::size_t task)> collect;
  std::function<void(const QueueView& view, std::size_t done)> on_progress;
  /// Called for a task that ended with work left. It is submitted again, or given up if `again` is false.
  std::function<void(std::size_t task, bool again)> on_failure;
  /// Sleeps between polls. The waits get longer, because controllers of large clusters must not be polled
  /// every second.
  std::function<void(std::chrono::milliseconds)> sleep;
};

/// After this many submissions in a row without progress a task is given up.
inline constexpr int kVainSends = 3;

/// Submits the tasks and waits until they have ended. A task that ends with work left is submitted again for
/// the rest: as often as each submission makes progress (a time limit may be short), but only kVainSends
/// times without progress. Tasks that are given up are not an error. A queue that refuses or no longer
/// answers is one; then all our tasks are cancelled.
Status RunArray(TaskQueue& queue, std::size_t tasks, const ArrayListener& listener);

}  // namespace warplings::cluster
