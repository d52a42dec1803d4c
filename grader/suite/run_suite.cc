// SPDX-License-Identifier: Apache-2.0
#include "grader/suite/run_suite.h"

#include <algorithm>
#include <utility>

#include "grader/messages/suite_runs.h"
#include "grader/suite/suite_messages.h"
#include "grader/suite/suite_process.h"

namespace warplings {
namespace {

/// Collects the result lines of one run.
class Collector {
 public:
  explicit Collector(const std::function<void(const TestResult&)>& on_test) : on_test_(on_test) {}

  Status Take(std::string_view text) {
    auto line = ReadLine(text);
    if (!line) return line.error();
    if (ended_) return GraderError(say::suite_speaks_after_end());
    if (const auto* start = std::get_if<SuiteStart>(&*line)) {
      running_ = start->test;
      return Unit{};
    }
    if (auto* test = std::get_if<TestResult>(&*line)) {
      running_.clear();
      outcome_.tests.push_back(std::move(*test));
      if (on_test_) on_test_(outcome_.tests.back());
      return Unit{};
    }
    return TakeEnd(std::move(std::get<SuiteEnd>(*line)));
  }

  bool ended() const { return ended_; }
  const std::string& running() const { return running_; }
  SuiteOutcome& outcome() { return outcome_; }

 private:
  Status TakeEnd(SuiteEnd end) {
    ended_ = true;
    outcome_.facts = std::move(end.facts);
    outcome_.resources = std::move(end.resources);
    outcome_.student_output = std::move(end.student_output);
    outcome_.speed = std::move(end.speed);
    outcome_.card_kernels = std::move(end.card_kernels);
    for (Explained& each : end.explained) {
      const auto test = std::ranges::find(outcome_.tests, each.test, &TestResult::name);
      if (test == outcome_.tests.end()) return GraderError(say::suite_explains_unknown_test(each.test));
      if (test->verdict == Verdict::kPassed) return GraderError(say::suite_explains_passed_test(each.test));
      const bool has_facts = !each.explanation.elements.empty() || !each.explanation.facts.empty();
      if (has_facts) test->explanation = std::move(each.explanation);
      if (!each.advice.empty()) test->explained_step = std::move(each.advice);
    }
    return Unit{};
  }

  const std::function<void(const TestResult&)>& on_test_;
  SuiteOutcome outcome_;
  std::string running_;
  bool ended_ = false;
};

/// Says of each test that takes long which one it is, and how the suite spends the time.
class SlowTests {
 public:
  using Clock = SuiteProcess::Clock;

  explicit SlowTests(const SuiteRequest& request) : request_(request) {}

  /// About every second.
  void Look(const std::string& running, const SuiteProcess& process) {
    if (running != test_) *this = SlowTests(request_, running);
    if (test_.empty() || is_told_) return;
    (process.Computes() ? computing_ : waiting_) += 1;
    const auto taken = std::chrono::duration_cast<std::chrono::seconds>(Clock::now() - since_);
    if (taken < request_.get().slow_after) return;
    is_told_ = true;
    const auto& row = computing_ > waiting_ ? say::suite_still_computes : say::suite_still_waits;
    request_.get().on_slow(row(test_, taken.count()));
  }

 private:
  SlowTests(std::reference_wrapper<const SuiteRequest> request, std::string test)
      : request_(request), test_(std::move(test)) {}

  std::reference_wrapper<const SuiteRequest> request_;
  std::string test_;
  Clock::time_point since_ = Clock::now();
  int computing_ = 0, waiting_ = 0;
  bool is_told_ = false;
};

Error Named(Error error, const Exercise& exercise, const std::string& running) {
  const std::string name = exercise.chapter + "/" + exercise.id;
  error.message = running.empty() ? say::suite_failed(name, error.message)
                                  : say::suite_failed_during(name, error.message, running);
  return error;
}

}  // namespace

Result<SuiteOutcome> RunSuite(const SuiteRequest& request, const Layout& layout,
                              const std::function<void(const TestResult&)>& on_test) {
  const Exercise& exercise = *request.exercise;
  const SuiteOrder order{.exercise = exercise.id,
                         .worker = request.worker,
                         .device_program = layout.DeviceProgram().string(),
                         .device = request.device,
                         .card_program = request.card_program.string(),
                         .watcher = request.watcher,
                         .card_decides = request.card_decides,
                         .seed = request.seed,
                         .memory_bytes = request.memory_bytes,
                         .answers = request.answers,
                         .detailed = request.detailed,
                         .speed = request.speed,
                         .baseline = request.baseline,
                         .reference = request.reference};
  auto process = SuiteProcess::Start(layout.SuiteProgram(exercise.chapter, exercise.id), WriteOrder(order),
                                     request.test);
  if (!process) return process.error();
  Collector collector(on_test);
  const auto deadline = SuiteProcess::Clock::now() + request.time_limit;
  SlowTests slow(request);
  std::function<void()> on_second;
  if (request.on_slow) on_second = [&] { slow.Look(collector.running(), *process); };
  const auto status = process->ReadLines(
      deadline, [&](std::string_view line) { return collector.Take(line); }, on_second);
  if (!status) return Named(status.error(), exercise, collector.running());
  if (!collector.ended()) {
    return Named(GraderError(say::suite_without_result()), exercise, collector.running());
  }
  if (collector.outcome().tests.empty()) {
    return Named(GraderError(say::suite_without_test()), exercise, "");
  }
  return std::move(collector.outcome());
}

}  // namespace warplings
