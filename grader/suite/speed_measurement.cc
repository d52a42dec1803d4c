// SPDX-License-Identifier: Apache-2.0
#include "grader/suite/speed_measurement.h"

#include <algorithm>
#include <chrono>
#include <functional>
#include <optional>
#include <thread>
#include <utility>

#include "grader/messages/judging.h"
#include "grader/suite/timed_program.h"
#include "grader/timing/schedule.h"
#include "grader/timing/speed_share.h"
#include "grader/timing/statistics.h"

namespace warplings {
namespace {

using Clock = std::chrono::steady_clock;

/// Time budget for all shapes together, in seconds. Before each shape, the remaining time is divided among
/// the remaining shapes.
constexpr double kTimeLimit = 4.4;
constexpr double kLeastTimeForAShape = 0.3;
constexpr double kWarmUp = 0.1;
constexpr std::size_t kRehearsalRounds = 3;

/// The programs of a comparison, by their place in all lists here.
enum Program : std::size_t { kBaseline, kSubmission, kReference };

struct Fault {
  std::size_t program = kBaseline;
  TimedFault fault;
};

class Measurement {
 public:
  Measurement(const SpeedOrder& order, const std::vector<TimedShape>& shapes)
      : order_(order), shapes_(shapes), random_(order.seed) {}

  SpeedOutcome Run() {
    if (shapes_.empty()) SetFault(kBaseline, {Verdict::kGraderFault, say::no_shape_to_time()});
    for (const WorkerProgram& worker : {order_.baseline, order_.submission, order_.reference}) {
      if (!worker.empty()) Start(worker);
    }
    for (std::size_t i = 0; i < shapes_.size() && !fault_; ++i) MeasureShape(i);
    if (fault_) {
      Refuse();
    } else {
      Summarise();
    }
    outcome_.speed.seconds = Seconds();
    return std::move(outcome_);
  }

 private:
  double Seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

  void Start(const WorkerProgram& worker) {
    if (fault_) return;
    auto program = TimedProgram::Start(order_.device_program, order_.device, worker, order_.memory);
    if (!program) return SetFault(programs_.size(), program.error());
    programs_.push_back(std::move(*program));
  }

  void SetFault(std::size_t program, TimedFault fault) {
    if (!fault_) fault_ = Fault{program, std::move(fault)};
  }

  /// Does one step with each program at the same time, each in a thread; moving data takes most of the time.
  void ForAll(const std::function<TimedStatus(TimedProgram&)>& step) {
    std::vector<TimedStatus> done(programs_.size(), Unit{});
    {
      std::vector<std::jthread> threads;
      for (std::size_t i = 0; i < programs_.size(); ++i) {
        threads.emplace_back([&, i] { done[i] = step(*programs_[i]); });
      }
    }
    for (std::size_t i = 0; i < done.size(); ++i) {
      if (!done[i]) SetFault(i, done[i].error());
    }
  }

  void MeasureShape(std::size_t index) {
    const TimedShape& shape = shapes_[index];
    shape.make_inputs(random_, inputs_);
    for (std::size_t i = 0; i < programs_.size() && !fault_; ++i) {
      if (auto recorded = programs_[i]->Record(shape, inputs_); !recorded) SetFault(i, recorded.error());
    }
    if (fault_) return;
    if (!programs_[kSubmission]->live_reason().empty())
      outcome_.speed.live_reason = programs_[kSubmission]->live_reason();
    for (std::size_t i = 0; i < programs_.size() && !fault_; ++i) {
      const auto warm = programs_[i]->WarmUp(order_.rehearsal ? 1e-9 : kWarmUp);
      if (!warm) SetFault(i, warm.error());
    }
    TakeRounds(shape, index);
    if (!fault_) ForAll([](TimedProgram& program) { return program.Finish(); });
  }

  void TakeRounds(const TimedShape& shape, std::size_t index) {
    if (fault_) return;
    shape.make_inputs(random_, next_inputs_);
    const double left = (kTimeLimit - Seconds()) / static_cast<double>(shapes_.size() - index);
    timing::ScheduleOptions options;
    options.time_limit = std::max(kLeastTimeForAShape, left);
    if (order_.rehearsal) options.most_rounds = kRehearsalRounds;
    clocks_.assign(programs_.size(), {});
    const auto outcome = timing::RunSchedule(
        programs_.size(), options,
        [&](const std::vector<std::size_t>& turns) { return TakeRound(shape, turns); },
        [this] { return Seconds(); });
    if (outcome) AddShape(shape, outcome->programs);
  }

  /// The reason of an error is in fault_.
  Result<std::vector<timing::Sample>> TakeRound(const TimedShape& shape,
                                                const std::vector<std::size_t>& turns) {
    std::swap(inputs_, next_inputs_);
    {
      // The next round's inputs are made while these move to the card, and not while programs are timed.
      const std::jthread making([&] { shape.make_inputs(random_, next_inputs_); });
      ForAll([&](TimedProgram& program) { return program.Write(inputs_); });
    }
    std::vector<timing::Sample> samples(programs_.size());
    for (const std::size_t i : turns) {
      if (fault_) break;
      auto timing = programs_[i]->Run(shape);
      if (!timing) {
        SetFault(i, timing.error());
      } else {
        samples[i] = SampleOf(i, *timing);
      }
    }
    if (!fault_) ForAll([&](TimedProgram& program) { return program.Check(inputs_); });
    if (fault_) return GraderError(fault_->fault.reason);
    return samples;
  }

  timing::Sample SampleOf(std::size_t program, const Timing& timing) {
    if (!timing.measured) return {timing.host_seconds, 1};
    constexpr double kResolution = 1e-6;
    if (timing.device_seconds > timing.host_seconds + kResolution)
      SetFault(program, {Verdict::kGraderFault, say::card_clock_runs_ahead()});
    if (timing.clock_mhz > 0) clocks_[program].push_back(timing.clock_mhz);
    const bool known = timing.clock_mhz > 0 && timing.default_clock_mhz > 0;
    return {timing.device_seconds, known ? timing.clock_mhz / timing.default_clock_mhz : 1};
  }

  ProgramTime TimeOf(std::size_t program, const timing::Samples& samples) const {
    return {.seconds = timing::TrimmedMean(samples.seconds),
            .standard_error = timing::RelativeStandardError(samples.seconds),
            .samples = samples.seconds.size(),
            .discarded = samples.discarded,
            .clock_mhz = timing::Median(clocks_[program])};
  }

  void AddShape(const TimedShape& shape, const std::vector<timing::Samples>& programs) {
    const DeviceProfile& card = programs_[kBaseline]->profile();
    ShapeSpeed speed;
    speed.title = shape.title;
    speed.flops = shape.work.flops;
    speed.bytes = shape.work.bytes_read + shape.work.bytes_written;
    if (!order_.rehearsal) speed.limit_seconds = timing::LimitSeconds(shape.work, card);
    speed.baseline = TimeOf(kBaseline, programs[kBaseline]);
    speed.submission = TimeOf(kSubmission, programs[kSubmission]);
    for (std::size_t i = 0; i < programs.size(); ++i) CheckTimes(shape, i, programs[i]);
    submission_pairs_.push_back({programs[kBaseline].seconds, programs[kSubmission].seconds});
    speed.speedup = timing::Speedup(std::span(&submission_pairs_.back(), 1), order_.seed);
    if (programs.size() > kReference) {
      speed.reference = TimeOf(kReference, programs[kReference]);
      reference_pairs_.push_back({programs[kBaseline].seconds, programs[kReference].seconds});
      speed.reference_speedup = timing::Speedup(std::span(&reference_pairs_.back(), 1), order_.seed);
      over_reference_pairs_.push_back({programs[kReference].seconds, programs[kSubmission].seconds});
      speed.over_reference = timing::Speedup(std::span(&over_reference_pairs_.back(), 1), order_.seed);
    }
    outcome_.speed.shapes.push_back(std::move(speed));
  }

  /// That there are times, and that they are possible.
  void CheckTimes(const TimedShape& shape, std::size_t program, const timing::Samples& samples) {
    if (order_.rehearsal) return;
    if (samples.seconds.empty()) {
      // Nobody's fault: the card is too hot, or somebody else uses it.
      return SetFault(kBaseline, {Verdict::kGraderFault, say::card_clock_stays_low()});
    }
    const double floor = timing::FloorSeconds(shape.work, programs_[kBaseline]->profile());
    if (timing::TrimmedMean(samples.seconds) >= floor) return;
    SetFault(program, {program == kSubmission ? Verdict::kNotRun : Verdict::kGraderFault,
                       say::faster_than_the_card(shape.title)});
  }

  /// A fault of ours is no result of the submission's.
  void Refuse() {
    const bool ours = fault_->program != kSubmission || fault_->fault.verdict == Verdict::kGraderFault;
    SpeedResult& speed = outcome_.speed;
    speed.shapes.clear();
    speed.status = ours ? SpeedStatus::kNotMeasured : SpeedStatus::kRefused;
    speed.graded = !ours;
    const Message reason = ours ? WithProgram() : fault_->fault.reason;
    speed.reason = reason;
    FinishTest(ours ? Verdict::kGraderFault : fault_->fault.verdict, reason);
  }

  /// The fault's reason with the program that it happened to.
  Message WithProgram() const {
    const Message& reason = fault_->fault.reason;
    switch (fault_->program) {
      case kBaseline: return say::of_the_baseline(reason);
      case kSubmission: return say::of_the_submission(reason);
      default: return say::of_the_reference(reason);
    }
  }

  void FinishTest(Verdict verdict, const Message& reason) {
    TestResult& test = outcome_.test;
    test.name = kTimedRuns;
    test.title = say::timed_runs();
    // Too slow to be timed, or too fast to be believed: that costs the points for speed, not the others.
    const bool costs_speed_only = verdict == Verdict::kTimeLimit || verdict == Verdict::kNotRun;
    test.verdict = costs_speed_only ? Verdict::kPassed : verdict;
    if (test.verdict == Verdict::kPassed) return;
    test.reason = reason;
    if (test.verdict != Verdict::kGraderFault) test.next_step = say::compute_anew_each_call();
  }

  void Summarise() {
    SpeedResult& speed = outcome_.speed;
    speed.status = order_.rehearsal ? SpeedStatus::kRehearsed : SpeedStatus::kMeasured;
    speed.speedup = timing::Speedup(submission_pairs_, order_.seed);
    if (programs_.size() > kReference) {
      speed.reference_speedup = timing::Speedup(reference_pairs_, order_.seed);
      speed.over_reference = timing::Speedup(over_reference_pairs_, order_.seed);
      speed.graded = !order_.rehearsal;
      speed.share = speed.graded ? timing::SpeedShare(speed.speedup, *speed.reference_speedup) : 0;
    }
    FinishTest(Verdict::kPassed, {});
  }

  const SpeedOrder& order_;
  const std::vector<TimedShape>& shapes_;
  RandomValues random_;
  TimedInputs inputs_, next_inputs_;
  const Clock::time_point start_ = Clock::now();
  std::vector<std::unique_ptr<TimedProgram>> programs_;
  std::vector<std::vector<double>> clocks_;  ///< By program: MHz behind the runs of the present shape.
  std::vector<timing::TimePair> submission_pairs_, reference_pairs_, over_reference_pairs_;
  std::optional<Fault> fault_;
  SpeedOutcome outcome_;
};

}  // namespace

SpeedOutcome MeasureSpeed(const SpeedOrder& order, const std::vector<TimedShape>& shapes) {
  return Measurement(order, shapes).Run();
}

}  // namespace warplings
