// SPDX-License-Identifier: Apache-2.0
#include "grader/pipeline/array_run.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace warplings::cluster {
namespace {

/// A queue in which each submission of a task does what `plan` says for it, and has ended by the next Poll().
class FakeQueue : public TaskQueue {
 public:
  Status Submit(const std::vector<std::size_t>& tasks) override {
    if (refuse) return UsageError("no such partition");
    sent.push_back(tasks);
    for (const std::size_t task : tasks) waiting.insert(task);
    return Unit{};
  }
  Result<QueueView> Poll() override {
    ++looks;
    if (silent_looks > 0) {
      --silent_looks;
      return GraderError("no answer");
    }
    QueueView view;
    view.running = running;
    view.waiting = waiting;
    for (const std::size_t task : running) {
      std::vector<std::size_t>& left = plan[task];
      if (!left.empty()) {
        done[task] = std::min(total, done[task] + left.front());
        left.erase(left.begin());
      }
    }
    running = std::move(waiting);
    waiting.clear();
    view.running = running;
    return view;
  }
  void Cancel() override { cancelled = true; }

  std::map<std::size_t, std::vector<std::size_t>> plan;  ///< Texts done in each sending.
  std::map<std::size_t, std::size_t> done;
  std::size_t total = 10;
  std::set<std::size_t> running, waiting;
  std::vector<std::vector<std::size_t>> sent;
  bool refuse = false, cancelled = false;
  int silent_looks = 0, looks = 0;
};

struct Said {
  std::vector<std::pair<std::size_t, bool>> failures;
  std::size_t done = 0;
};

Status RunFake(FakeQueue& queue, std::size_t tasks, Said& said) {
  const ArrayListener listener = {
      .peek =
          [&](std::size_t task) {
            return TaskWork{queue.done[task], queue.total};
          },
      .collect = [&](std::size_t task) -> Result<TaskWork> {
        return TaskWork{queue.done[task], queue.total};
      },
      .on_progress = [&](const QueueView&, std::size_t done) { said.done = done; },
      .on_failure = [&](std::size_t task, bool again) { said.failures.emplace_back(task, again); },
      .sleep = [](std::chrono::milliseconds) {}};
  return RunArray(queue, tasks, listener);
}

TEST(ArrayRun, TasksThatEndAreDone) {
  FakeQueue queue;
  queue.plan = {{1, {10}}, {2, {10}}, {3, {10}}};
  Said said;
  ASSERT_TRUE(RunFake(queue, 3, said).ok());
  EXPECT_EQ(queue.sent, (std::vector<std::vector<std::size_t>>{{1, 2, 3}}));
  EXPECT_EQ(said.done, 30u);
  EXPECT_TRUE(said.failures.empty());
  EXPECT_FALSE(queue.cancelled);
}

TEST(ArrayRun, OnlyWhatIsMissingIsSentAgain) {
  FakeQueue queue;
  queue.plan = {{1, {10}}, {2, {4, 6}}, {3, {10}}};
  Said said;
  ASSERT_TRUE(RunFake(queue, 3, said).ok());
  EXPECT_EQ(queue.sent, (std::vector<std::vector<std::size_t>>{{1, 2, 3}, {2}}));
  EXPECT_EQ(said.failures, (std::vector<std::pair<std::size_t, bool>>{{2, true}}));
  EXPECT_EQ(said.done, 30u);
}

TEST(ArrayRun, ATaskThatGetsOnMayBeSentOften) {
  FakeQueue queue;
  queue.plan = {{1, {1, 1, 1, 1, 1, 1, 1, 1, 1, 1}}};
  Said said;
  ASSERT_TRUE(RunFake(queue, 1, said).ok());
  EXPECT_EQ(queue.sent.size(), 10u);
  EXPECT_EQ(said.done, 10u);
}

TEST(ArrayRun, ATaskThatDoesNothingIsGivenUp) {
  FakeQueue queue;
  queue.plan = {{1, {10}}, {2, {3, 0, 0, 0, 7}}};
  Said said;
  ASSERT_TRUE(RunFake(queue, 2, said).ok());
  EXPECT_EQ(queue.sent.size(), 1u + kVainSends);
  EXPECT_EQ(said.failures,
            (std::vector<std::pair<std::size_t, bool>>{{2, true}, {2, true}, {2, true}, {2, false}}));
  EXPECT_EQ(said.done, 13u);
}

TEST(ArrayRun, ARefusalLeavesNothingInTheQueue) {
  FakeQueue queue;
  queue.refuse = true;
  Said said;
  const Status status = RunFake(queue, 2, said);
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(English(status.error().message), "no such partition");
  EXPECT_TRUE(queue.cancelled);
}

TEST(ArrayRun, AControllerMayBeRestarted) {
  FakeQueue queue;
  queue.plan = {{1, {10}}};
  queue.silent_looks = 5;
  Said said;
  EXPECT_TRUE(RunFake(queue, 1, said).ok());
  FakeQueue dead;
  dead.silent_looks = 1000;
  EXPECT_FALSE(RunFake(dead, 1, said).ok());
  EXPECT_LT(dead.looks, 100);
  EXPECT_TRUE(dead.cancelled);
}

}  // namespace
}  // namespace warplings::cluster
