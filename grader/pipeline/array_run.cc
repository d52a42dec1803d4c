// SPDX-License-Identifier: Apache-2.0
#include "grader/pipeline/array_run.h"

#include <algorithm>
#include <optional>

namespace warplings::cluster {
namespace {

constexpr std::chrono::milliseconds kFirstPause{500}, kLongestPause{15'000};
/// Controllers are restarted, and answer nothing for a minute or two.
constexpr int kUnansweredLooks = 12;

class ArrayRun {
 public:
  ArrayRun(TaskQueue& queue, std::size_t tasks, const ArrayListener& listener)
      : queue_(queue), listener_(listener) {
    for (std::size_t task = 1; task <= tasks; ++task) {
      const std::size_t done = listener_.peek(task).done;
      all_[task] = {.seen = done, .at_sending = done};
    }
  }

  Status Run() {
    std::vector<std::size_t> to_send;
    for (const auto& [task, state] : all_) to_send.push_back(task);
    for (std::chrono::milliseconds pause = kFirstPause;; pause = std::min(pause * 3 / 2, kLongestPause)) {
      if (const Status sent = Send(to_send); !sent) return Abandon(sent.error());
      if (active_.empty()) return Unit{};
      listener_.sleep(pause);
      const auto view = queue_.Poll();
      if (!view && ++unanswered_ >= kUnansweredLooks) return Abandon(view.error());
      if (!view) continue;
      unanswered_ = 0;
      auto ended = TakeEnded(*view);
      if (!ended) return Abandon(ended.error());
      to_send = std::move(*ended);
      listener_.on_progress(*view, CountDone());
    }
  }

 private:
  struct State {
    std::size_t seen = 0;        ///< Work done, as far as known.
    std::size_t at_sending = 0;  ///< When it was last sent.
    int vain = 0;
  };

  Status Send(std::vector<std::size_t>& tasks) {
    if (tasks.empty()) return Unit{};
    if (const Status sent = queue_.Submit(tasks); !sent) return sent;
    for (const std::size_t task : tasks) {
      active_.insert(task);
      all_[task].at_sending = all_[task].seen;
    }
    tasks.clear();
    return Unit{};
  }

  /// Those to be sent again.
  Result<std::vector<std::size_t>> TakeEnded(const QueueView& view) {
    std::vector<std::size_t> again;
    for (auto it = active_.begin(); it != active_.end();) {
      const std::size_t task = *it;
      if (view.running.contains(task) || view.waiting.contains(task)) {
        all_[task].seen = std::max(all_[task].seen, listener_.peek(task).done);
        ++it;
        continue;
      }
      it = active_.erase(it);
      const auto work = listener_.collect(task);
      if (!work) return work.error();
      State& state = all_[task];
      state.seen = work->done;
      if (work->done >= work->total) continue;
      state.vain = work->done > state.at_sending ? 0 : state.vain + 1;
      const bool send = state.vain < kVainSends;
      if (send) again.push_back(task);
      listener_.on_failure(task, send);
    }
    return again;
  }

  Status Abandon(const Error& error) {
    queue_.Cancel();
    return error;
  }

  std::size_t CountDone() const {
    std::size_t done = 0;
    for (const auto& [task, state] : all_) done += state.seen;
    return done;
  }

  TaskQueue& queue_;
  const ArrayListener& listener_;
  std::map<std::size_t, State> all_;
  std::set<std::size_t> active_;
  int unanswered_ = 0;
};

}  // namespace

Status RunArray(TaskQueue& queue, std::size_t tasks, const ArrayListener& listener) {
  return ArrayRun(queue, tasks, listener).Run();
}

}  // namespace warplings::cluster
