// SPDX-License-Identifier: Apache-2.0
#include "grader/pipeline/check_many.h"

#include <sched.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <semaphore>
#include <thread>
#include <utility>

#include "grader/base/usable_memory.h"

namespace warplings {
namespace {

/// State shared by the threads. The thread that finishes a job reports all results that are now next in
/// order.
class Board {
 public:
  Board(std::size_t count, const ManyListener& listener) : results_(count), listener_(listener) {}

  void Progress(std::size_t job, const std::string& what) {
    const std::lock_guard lock(mutex_);
    if (listener_.on_progress) listener_.on_progress(job, what);
  }

  void Finish(std::size_t job, Result<ExerciseResult> result) {
    const std::lock_guard lock(mutex_);
    if (listener_.on_finished && !listener_.on_finished(job, result)) stopped_ = true;
    if (!listener_.on_result) return;
    results_[job].emplace(std::move(result));
    for (; next_ < results_.size() && results_[next_]; ++next_) {
      listener_.on_result(next_, *results_[next_]);
      results_[next_].reset();
    }
  }

  bool stopped() const { return stopped_; }

 private:
  std::mutex mutex_;
  std::vector<std::optional<Result<ExerciseResult>>> results_;
  std::size_t next_ = 0;
  std::atomic<bool> stopped_ = false;
  const ManyListener& listener_;
};

CheckListener ListenerOf(Board& board, std::size_t job) {
  auto done = std::make_shared<int>(0);
  return {.on_stage = [&board, job](const std::string& stage) { board.Progress(job, stage); },
          .on_test =
              [&board, job, done](const TestResult& test) {
                board.Progress(job, std::to_string(++*done) + " tests done, last: " + test.title);
              }};
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
  for (std::size_t i = 1; i < std::min(parallel + ahead, count); ++i) threads.emplace_back(run);
  run();
}

std::uint64_t MemoryShare(std::size_t parallel) {
  constexpr std::uint64_t kLeast = std::uint64_t{1} << 30;
  return std::max(kLeast, FindUsableMemory().bytes / 2 / std::max<std::size_t>(parallel, 1));
}

void CheckMany(const std::vector<CheckJob>& jobs, std::size_t parallel, const Layout& layout,
               const ManyListener& listener) {
  Board board(jobs.size(), listener);
  // So many may be compiled and wait for a card that a slow or hanging submission has.
  constexpr std::size_t kCompiledAhead = 16;
  const bool on_card =
      std::ranges::any_of(jobs, [](const CheckJob& job) { return !job.settings.device.cards.empty(); });
  const std::uint64_t share = MemoryShare(std::min(parallel, jobs.size()));
  RunJobs(
      jobs.size(), parallel, on_card ? kCompiledAhead : 0, [&] { return board.stopped(); },
      [&](std::size_t job, const std::function<void()>& leave) {
        CheckListener told = ListenerOf(board, job);
        told.on_card_wait = leave;
        CheckSettings settings = jobs[job].settings;
        settings.memory_bytes = share;
        board.Finish(job, CheckExercise(jobs[job].submission, settings, layout, told));
      });
}

}  // namespace warplings
