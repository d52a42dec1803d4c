// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "grader/base/message.h"
#include "grader/core/verdict.h"
#include "grader/core/worker_program.h"
#include "grader/device/client.h"
#include "grader/suite/run_memory.h"
#include "grader/suite/timed_shape.h"
#include "grader/worker/worker.h"

namespace warplings {

/// Why a program cannot be timed.
struct TimedFault {
  Verdict verdict = Verdict::kGraderFault;
  Message reason;
};
template <class T>
using TimedResult = Result<T, TimedFault>;
using TimedStatus = TimedResult<Unit>;

/// One of the programs that are compared (baseline, reference or submission), with its own device process and
/// worker. For each shape, call Record; then Write, Run and Check in each round; then Finish.
class TimedProgram {
 public:
  /// `device` in the notation of the device program. The thread that starts it must outlive it.
  static TimedResult<std::unique_ptr<TimedProgram>> Start(const std::string& device_program,
                                                          const std::string& device,
                                                          const WorkerProgram& worker,
                                                          const MemoryOptions& memory);

  const DeviceProfile& profile() const { return device_->profile(); }
  /// Makes the call once on the virtual GPU, running only a sample of each launch's blocks. Returns the
  /// launches with the data for an estimate. Outputs are incomplete, and are not checked.
  /// With `detailed`, they also have a few requests in full (LaunchRecord::accesses).
  TimedResult<std::vector<LaunchRecord>> CountSample(const TimedShape& shape, const TimedInputs& inputs,
                                                     std::uint64_t sample_blocks, bool detailed);
  /// Allocates the arrays and makes one call, which the device records. Success means that its outputs are
  /// right.
  TimedStatus Record(const TimedShape& shape, const TimedInputs& inputs);
  /// Why the recorded call cannot be replayed, so that each run calls the submission again; empty: it is
  /// replayed.
  const Message& live_reason() const { return live_reason_; }
  /// Replays the recorded call until the card has reached its working clock. Only for calls that can be
  /// replayed.
  TimedStatus WarmUp(double seconds);
  /// Writes the inputs, and fills the outputs with Poison().
  TimedStatus Write(const TimedInputs& inputs);
  /// Makes one timed run on what Write() wrote.
  TimedResult<Timing> Run(const TimedShape& shape);
  /// Fails if the outputs are wrong.
  TimedStatus Check(const TimedInputs& inputs);
  /// Fails if anything was written outside the arrays. Frees them.
  TimedStatus Finish();

 private:
  struct Array {
    DevicePointer allocation = 0;
    std::size_t bytes = 0;
    bool is_output = false;
  };

  TimedProgram() = default;
  TimedStatus Allocate(const TimedShape& shape, const TimedInputs& inputs);
  /// For those who look at single requests: the shape's names, else "input 1", "input 2", "output".
  TimedStatus NameArrays(const TimedShape& shape);
  TimedStatus Call(const TimedShape& shape);
  TimedResult<Timing> RunLive(const TimedShape& shape);
  TimedStatus Findings();
  DevicePointer PointerTo(const Array& array) const { return array.allocation + band_bytes_; }
  TimedFault FaultOf(const CudaFault& fault) const;

  std::unique_ptr<DeviceClient> device_;
  std::unique_ptr<Worker> worker_;  ///< Uses device_, so it is destroyed first.
  /// Guard bytes before and after each array, if the device does not check bounds.
  std::size_t band_bytes_ = 0;
  std::vector<Array> arrays_;
  std::vector<std::vector<float>> outputs_;  ///< The outputs last read; kept only to reuse the memory.
  Message live_reason_;
};

}  // namespace warplings
