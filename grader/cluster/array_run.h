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

/// What a queue knows of our tasks that have not ended.
struct QueueView {
  std::set<std::size_t> running, waiting;
  std::string reason;  ///< Why one of them waits, in the queue's words: "Resources".
};

/// A batch system, as far as we need it. Tasks are numbers from 1 on.
class TaskQueue {
 public:
  TaskQueue() = default;
  TaskQueue(const TaskQueue&) = delete;
  TaskQueue& operator=(const TaskQueue&) = delete;
  virtual ~TaskQueue() = default;
  virtual Status Submit(const std::vector<std::size_t>& tasks) = 0;
  virtual Result<QueueView> Look() = 0;
  virtual void Cancel() = 0;  ///< All of ours, and waits a while until they are gone.
};

/// How far a task's work is.
struct TaskWork {
  std::size_t done = 0, total = 0;
};

struct ArrayListener {
  /// Of a task that is under way: cheap, may be a little old.
  std::function<TaskWork(std::size_t task)> peek;
  /// Of a task that no longer runs: exact. Its results are brought in here.
  std::function<Result<TaskWork>(std::size_t task)> collect;
  std::function<void(const QueueView& view, std::size_t done)> on_progress;
  /// A task that ended too early is sent again, or, with `again` false, given up.
  std::function<void(std::size_t task, bool again)> on_failure;
  /// Waits; longer and longer, since controllers of large clusters do not like to be asked every second.
  std::function<void(std::chrono::milliseconds)> sleep;
};

/// How often a task may end without having done anything new before it is given up.
inline constexpr int kVainSends = 3;

/// Submits the tasks and waits for their end. Who ends with work left is sent again, with what is left: any
/// number of times while each sending gets something done (a time limit may be short), and kVainSends times
/// in vain. What is given up in the end is no error here; a queue that refuses or no longer answers is one,
/// and then nothing of ours is left in it.
Status RunArray(TaskQueue& queue, std::size_t tasks, const ArrayListener& listener);

}  // namespace warplings::cluster
