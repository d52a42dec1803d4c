// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "grader/core/verdict.h"
#include "grader/device/client.h"
#include "grader/suite/timed_shape.h"
#include "grader/worker/worker.h"

namespace warplings {

/// Why a program cannot be timed.
struct TimedFault {
  Verdict verdict = Verdict::kGraderFault;
  std::string reason;
};
template <class T>
using TimedResult = Result<T, TimedFault>;
using TimedStatus = TimedResult<Unit>;

/// One program of a comparison (baseline, reference or submission) with a device process and a worker of its
/// own. For each shape: Record, then Write, Run and Check for each round, then Finish.
class TimedProgram {
 public:
  /// `device` as the device program takes it, `memory_bytes` as in SuiteOrder. The thread that starts it must
  /// outlive it.
  static TimedResult<std::unique_ptr<TimedProgram>> Start(const std::string& device_program,
                                                          const std::string& device,
                                                          const std::string& worker,
                                                          std::uint64_t memory_bytes);

  const DeviceProfile& profile() const { return device_->profile(); }
  /// Makes the call once on the virtual GPU, on which only a sample of each launch's blocks runs: what was
  /// launched, with what an estimate needs. Outputs are then unfinished, and nobody looks at them.
  TimedResult<std::vector<LaunchRecord>> CountSample(const TimedShape& shape, const TimedInputs& inputs,
                                                     std::uint64_t sample_blocks);
  /// Makes the arrays and the one call that is recorded; its outputs are right when this succeeds.
  TimedStatus Record(const TimedShape& shape, const TimedInputs& inputs);
  /// Why the last recorded call cannot be replayed and is made anew for each run; empty: it is replayed.
  const std::string& live_reason() const { return live_reason_; }
  /// Lets the card come to its working clock with the recorded call. Not for calls that are made live.
  TimedStatus WarmUp(double seconds);
  /// Inputs and poisoned outputs.
  TimedStatus Write(const TimedInputs& inputs);
  /// One timed run on what was written.
  TimedResult<Timing> Run(const TimedShape& shape);
  /// Whether the outputs are right.
  TimedStatus Check(const TimedInputs& inputs);
  /// Whether anything was written outside the arrays; frees them.
  TimedStatus Finish();

 private:
  struct Array {
    DevicePointer allocation = 0;
    std::size_t bytes = 0;
    bool is_output = false;
  };

  TimedProgram() = default;
  TimedStatus Allocate(const TimedShape& shape, const TimedInputs& inputs);
  TimedStatus Call(const TimedShape& shape);
  TimedResult<Timing> RunLive(const TimedShape& shape);
  TimedStatus Findings();
  DevicePointer PointerTo(const Array& array) const { return array.allocation + band_bytes_; }
  TimedFault FaultOf(const CudaFault& fault) const;

  std::unique_ptr<DeviceClient> device_;
  std::unique_ptr<Worker> worker_;  ///< Uses device_: goes first.
  std::size_t band_bytes_ = 0;      ///< Before and behind each array, where the device does not check bounds.
  std::vector<Array> arrays_;
  std::vector<std::vector<float>> outputs_;  ///< As last read; kept for its memory.
  std::string live_reason_;
};

}  // namespace warplings
