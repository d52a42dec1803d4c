// SPDX-License-Identifier: Apache-2.0
#include "grader/pipeline/check_many.h"

#include <sched.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <semaphore>
#include <system_error>
#include <thread>
#include <utility>

#include "grader/base/thrown.h"
#include "grader/base/usable_memory.h"
#include "grader/messages/checking.h"

namespace warplings {
namespace {

/// The result in the place of one that cannot be had; in a catch block.
ExerciseResult ResultOfThrown(const CheckJob& job) {
  return FaultedResult(job.submission, job.settings, ErrorOfThrown());
}

/// State shared by the threads. The thread that finishes a job reports all results that are now next in
/// order.
class Board {
 public:
  Board(const std::vector<CheckJob>& jobs, const ManyListener& listener)
      : jobs_(jobs), results_(jobs.size()), listener_(listener) {}

  void Progress(std::size_t job, const Message& what) {
    const std::lock_guard lock(mutex_);
    if (listener_.on_progress) listener_.on_progress(job, what);
  }

  void Slow(std::size_t job, const Message& what) {
    const std::lock_guard lock(mutex_);
    if (listener_.on_slow) listener_.on_slow(job, what);
  }

  void Finish(std::size_t job, Result<ExerciseResult> result) {
    const std::lock_guard lock(mutex_);
    if (listener_.on_finished && !Accept(job, result)) stopped_ = true;
    if (!listener_.on_result) return;
    results_[job].emplace(std::move(result));
    for (; next_ < results_.size() && results_[next_]; ++next_) {
      listener_.on_result(next_, *results_[next_]);
      results_[next_].reset();
    }
  }

  /// For what no result can tell. In a catch block.
  void StopForThrown() {
    const std::lock_guard lock(mutex_);
    if (!thrown_) thrown_ = std::current_exception();
    stopped_ = true;
  }

  bool stopped() const { return stopped_; }
  std::exception_ptr thrown() const { return thrown_; }

 private:
  /// Whether to go on. The listener may be unable to take the result, but able to take a fault in its place.
  bool Accept(std::size_t job, Result<ExerciseResult>& result) const {
    try {
      return listener_.on_finished(job, result);
    } catch (...) {
      result = ResultOfThrown(jobs_[job]);
    }
    return listener_.on_finished(job, result);
  }

  const std::vector<CheckJob>& jobs_;
  std::mutex mutex_;
  std::vector<std::optional<Result<ExerciseResult>>> results_;
  std::size_t next_ = 0;
  std::atomic<bool> stopped_ = false;
  std::exception_ptr thrown_;
  const ManyListener& listener_;
};

CheckListener ListenerOf(Board& board, std::size_t job) {
  auto done = std::make_shared<int>(0);
  return {.on_stage = [&board, job](const Message& stage) { board.Progress(job, stage); },
          .on_test =
              [&board, job, done](const TestResult& test) {
                board.Progress(job, say::stage_tests_done(say::Count(++*done, "test"), test.title));
              },
          .on_slow = [&board, job](const Message& what) { board.Slow(job, what); }};
}

/// Whatever is thrown is a fault of this check alone.
Result<ExerciseResult> CheckGuarded(const CheckJob& job, const CheckSettings& settings, const Layout& layout,
                                    const CheckListener& listener) {
  try {
    return CheckExercise(job.submission, settings, layout, listener);
  } catch (...) {
    return ResultOfThrown(job);
  }
}

}  // namespace

std::size_t DefaultJobs() {
  cpu_set_t cores;
  if (::sched_getaffinity(0, sizeof cores, &cores) != 0) return 1;
  return static_cast<std::size_t>(std::max(1, CPU_COUNT(&cores)));
}

void RunJobs(std::size_t count, std::size_t parallel, std::size_t ahead, const std::function<bool()>& stopped,
             const std::function<void(std::size_t, const std::function<void()>&)>& work) {
  parallel = std::min(std::max<std::size_t>(parallel, 1), std::max<std::size_t>(count, 1));
  std::counting_semaphore<> places(static_cast<std::ptrdiff_t>(parallel));
  std::atomic<std::size_t> next = 0;
  const auto run = [&] {
    for (;;) {
      places.acquire();
      bool placed = true;
      const auto leave = [&] {
        if (std::exchange(placed, false)) places.release();
      };
      const std::size_t job = stopped() ? count : next++;
      if (job < count) work(job, leave);
      leave();
      if (job >= count) return;
    }
  };
  // Processes that a check starts die with the thread that started them, so each check stays on one thread.
  std::vector<std::jthread> threads;
  try {
    for (std::size_t i = 1; i < std::min(parallel + ahead, count); ++i) threads.emplace_back(run);
  } catch (const std::system_error&) {
    // The machine allows no more threads: those that there are do all jobs.
  }
  run();
}

std::uint64_t MemoryShare(std::size_t parallel) {
  constexpr std::uint64_t kLeast = std::uint64_t{1} << 30;
  return std::max(kLeast, FindUsableMemory().bytes / 2 / std::max<std::size_t>(parallel, 1));
}

void CheckMany(const std::vector<CheckJob>& jobs, std::size_t parallel, const Layout& layout,
               const ManyListener& listener) {
  Board board(jobs, listener);
  // So many may be compiled and wait for a card that a slow or hanging submission has.
  constexpr std::size_t kCompiledAhead = 16;
  const bool on_card =
      std::ranges::any_of(jobs, [](const CheckJob& job) { return !job.settings.device.cards.empty(); });
  const std::uint64_t share = MemoryShare(std::min(parallel, jobs.size()));
  RunJobs(
      jobs.size(), parallel, on_card ? kCompiledAhead : 0, [&] { return board.stopped(); },
      [&](std::size_t job, const std::function<void()>& leave) {
        try {
          CheckListener told = ListenerOf(board, job);
          told.on_card_wait = leave;
          CheckSettings settings = jobs[job].settings;
          settings.memory_bytes = share;
          board.Finish(job, CheckGuarded(jobs[job], settings, layout, told));
        } catch (...) {
          board.StopForThrown();
        }
      });
  if (board.thrown()) std::rethrow_exception(board.thrown());
}

}  // namespace warplings
