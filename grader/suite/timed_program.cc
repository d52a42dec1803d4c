// SPDX-License-Identifier: Apache-2.0
#include "grader/suite/timed_program.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "grader/messages/judging.h"
#include "grader/suite/call_limits.h"
#include "grader/suite/device_array.h"

namespace warplings {
namespace {

/// Of one block whose counts are taken as a sample; more would keep who waits for an estimate waiting.
constexpr std::uint64_t kSampledInstructions = 20'000'000;

TimedFault GraderFault(Message reason) {
  return {Verdict::kGraderFault, std::move(reason)};
}

}  // namespace

TimedFault TimedProgram::FaultOf(const CudaFault& fault) const {
  if (device_->loss() == DeviceClient::Loss::kDeadline)
    return {Verdict::kTimeLimit, say::timed_run_not_in_time()};
  if (!device_->alive()) return GraderFault(say::device_ended_in_timed_run());
  return {Verdict::kLaunchFailed, say::timed_run_broke_off(fault.message)};
}

TimedResult<std::unique_ptr<TimedProgram>> TimedProgram::Start(const std::string& device_program,
                                                               const std::string& device,
                                                               const WorkerProgram& worker,
                                                               const MemoryOptions& memory) {
  std::unique_ptr<TimedProgram> program(new TimedProgram());
  auto client = DeviceClient::StartProcess(device_program, device, memory.bytes, memory.seed);
  if (!client) return GraderFault(client.error().message);
  program->device_ = std::move(*client);
  program->device_->SetDeadline(kDeviceLimit);
  program->device_->SetObservation({.checks = false, .counters = false});
  const bool is_virtual = device.starts_with("virtual");
  program->band_bytes_ = is_virtual ? 0 : DeviceArray::kBandBytes;

  WorkerOptions options;
  options.program = worker.file;
  options.call_time_limit = kTimedCallLimit;
  options.memory_limit = kHostMemory;
  auto started =
      Worker::Start(options, [&](int fd) { return program->device_->AttachSubmission(fd, worker.image); });
  if (!started) return GraderFault(started.error().message);
  program->worker_ = std::move(*started);
  return program;
}

TimedStatus TimedProgram::Allocate(const TimedShape& shape, const TimedInputs& inputs) {
  const auto add = [this](std::size_t elements, bool is_output) -> TimedStatus {
    const std::size_t bytes = elements * sizeof(float);
    const auto allocation = device_->Allocate(bytes + 2 * band_bytes_, AllocationKind::kDevice);
    if (!allocation) return GraderFault(say::no_memory_for_timed_runs(allocation.error().message));
    arrays_.push_back({allocation->address, bytes, is_output});
    const auto filled = FillWithPoison(*device_, allocation->address, allocation->bytes);
    if (!filled) return FaultOf(filled.error());
    return Unit{};
  };
  for (const std::vector<float>& input : inputs.arrays) {
    if (auto added = add(input.size(), false); !added) return added;
  }
  outputs_.clear();
  for (const std::size_t elements : shape.outputs) {
    outputs_.emplace_back(elements);
    if (auto added = add(elements, true); !added) return added;
  }
  return Unit{};
}

TimedStatus TimedProgram::NameArrays(const TimedShape& shape) {
  const auto inputs = std::ranges::count(arrays_, false, &Array::is_output);
  const auto outputs = static_cast<std::ptrdiff_t>(arrays_.size()) - inputs;
  int input = 0, output = 0;
  for (const Array& array : arrays_) {
    const int number = array.is_output ? ++output : ++input;
    const bool is_only_one = (array.is_output ? outputs : inputs) == 1;
    std::string name = array.is_output ? "output" : "input";
    if (!is_only_one) name += " " + std::to_string(number);
    const auto place = static_cast<std::size_t>(input + output - 1);
    if (place < shape.names.size()) name = shape.names[place];
    if (auto named = device_->SetLabel(array.allocation, name); !named) return FaultOf(named.error());
  }
  return Unit{};
}

TimedStatus TimedProgram::Call(const TimedShape& shape) {
  std::vector<DevicePointer> pointers;
  for (const Array& array : arrays_) pointers.push_back(PointerTo(array));
  const CallOutcome outcome = shape.call(*worker_, pointers);
  if (outcome.verdict == Verdict::kPassed) return Unit{};
  return TimedFault{outcome.verdict, outcome.reason};
}

TimedStatus TimedProgram::Record(const TimedShape& shape, const TimedInputs& inputs) {
  if (auto made = Allocate(shape, inputs); !made) return made;
  if (auto written = Write(inputs); !written) return written;
  if (const auto begun = device_->BeginRecording(worker_->client()); !begun) return FaultOf(begun.error());
  const TimedStatus called = Call(shape);
  if (!called) return called;
  const auto recorded = device_->EndRecording();
  if (!recorded) return FaultOf(recorded.error());
  live_reason_ = recorded->live_reason;
  return Check(inputs);
}

TimedResult<std::vector<LaunchRecord>> TimedProgram::CountSample(const TimedShape& shape,
                                                                 const TimedInputs& inputs,
                                                                 std::uint64_t sample_blocks, bool detailed) {
  device_->SetObservation({.checks = false,
                           .max_warp_instructions = kSampledInstructions,
                           .work = true,
                           .sample_blocks = sample_blocks,
                           .accesses = detailed});
  if (auto made = Allocate(shape, inputs); !made) return made.error();
  if (detailed) {
    if (auto named = NameArrays(shape); !named) return named.error();
  }
  if (auto written = Write(inputs); !written) return written.error();
  if (auto called = Call(shape); !called) return called.error();
  if (auto done = device_->SynchronizeAll(); !done) return FaultOf(done.error());
  return device_->TakeLaunches();
}

TimedStatus TimedProgram::WarmUp(double seconds) {
  if (!live_reason_.empty()) return Unit{};
  const auto warm = device_->Replay(seconds, false);
  if (!warm) return FaultOf(warm.error());
  return Unit{};
}

TimedStatus TimedProgram::Write(const TimedInputs& inputs) {
  for (std::size_t i = 0; i < arrays_.size(); ++i) {
    const Array& array = arrays_[i];
    const DevicePointer target = PointerTo(array);
    CudaStatus written = Unit{};
    if (!array.is_output) {
      written = device_->CopyIn(target, std::as_bytes(std::span(inputs.arrays[i])), kDefaultStream);
    } else if (written = FillWithPoison(*device_, target, array.bytes); written) {
      written = device_->MarkUninitialised(target, array.bytes);
    }
    if (!written) return FaultOf(written.error());
  }
  return Unit{};
}

TimedResult<Timing> TimedProgram::RunLive(const TimedShape& shape) {
  if (const auto begun = device_->BeginLive(); !begun) return FaultOf(begun.error());
  const auto called = Call(shape);
  if (!called) return called.error();
  const auto timing = device_->EndLive();
  if (!timing) return FaultOf(timing.error());
  return *timing;
}

TimedResult<Timing> TimedProgram::Run(const TimedShape& shape) {
  if (!live_reason_.empty()) return RunLive(shape);
  const auto timing = device_->Replay(0, true);
  if (!timing) return FaultOf(timing.error());
  return *timing;
}

TimedStatus TimedProgram::Findings() {
  const std::vector<Finding> findings = device_->TakeFindings();
  const auto error = std::ranges::find(findings, Severity::kError, &Finding::severity);
  if (error == findings.end()) return Unit{};
  return TimedFault{Verdict::kFinding, say::found_in_timed_run(error->message)};
}

TimedStatus TimedProgram::Check(const TimedInputs& inputs) {
  std::size_t next = 0;
  for (const Array& array : arrays_) {
    if (!array.is_output) continue;
    std::vector<float>& output = outputs_[next++];
    const auto read =
        device_->CopyOut(std::as_writable_bytes(std::span(output)), PointerTo(array), kDefaultStream);
    if (!read) return FaultOf(read.error());
  }
  if (auto clean = Findings(); !clean) return clean;
  const Message wrong = inputs.check(outputs_);
  if (!wrong.empty()) return TimedFault{Verdict::kWrongResult, say::wrong_in_timed_run(wrong)};
  return Unit{};
}

TimedStatus TimedProgram::Finish() {
  TimedStatus status = Unit{};
  std::vector<std::byte> band(band_bytes_);
  for (const Array& array : std::exchange(arrays_, {})) {
    const DevicePointer behind = PointerTo(array) + array.bytes;
    for (const DevicePointer start : {array.allocation, behind}) {
      if (band.empty() || !status) break;
      const auto read = device_->CopyOut(band, start, kDefaultStream);
      if (!read) status = FaultOf(read.error());
      if (!IsAllPoison(band, start - array.allocation))
        status = TimedFault{Verdict::kFinding, say::written_outside_in_timed_run()};
    }
    static_cast<void>(device_->Free(array.allocation).ok());
  }
  const auto dropped = device_->DropRecording();
  if (status && !dropped) status = FaultOf(dropped.error());
  return status;
}

}  // namespace warplings
