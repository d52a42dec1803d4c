// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "grader/core/finding.h"
#include "grader/core/launch_record.h"
#include "grader/core/verdict.h"
#include "grader/device/device.h"
#include "grader/suite/device_array.h"
#include "grader/worker/worker.h"

namespace warplings {

/// One call of a submission's function: its arrays, and how to make it once they are in place.
struct CallRequest {
  std::vector<CallArray> arrays;
  /// Makes the call; gets the arrays' device addresses in the order of `arrays`.
  std::function<CallOutcome(std::span<const DevicePointer>)> call;
  /// The watchdog's budget for each launch: many times what a correct, even a slow, kernel needs.
  std::uint64_t max_warp_instructions = 0;
  /// Keep requests in full and what an estimate needs.
  bool detailed = false;
  Fence fence = Fence::kDevice;
  /// Seen before any call, when the submission's kernels were loaded; counts against every call.
  std::vector<Finding> load_findings;
};

/// What became of it. Whether outputs are *right* is the suite's to say; everything else is decided here.
struct CallReport {
  Verdict verdict = Verdict::kPassed;
  std::string reason, next_step;                 ///< Of that verdict.
  std::vector<std::vector<std::byte>> contents;  ///< Of each array after the call; empty if unreadable.
  std::vector<Finding> findings;
  std::vector<LaunchRecord> launches;
  std::vector<ArrayWriters> writers;  ///< Of each array that has elements; none where the device cannot say.
  std::string printed;                ///< By host and device code.
  /// The call left something behind (pending work, a dead process, a poisoned device) that would reach
  /// into the next one; both processes must be started anew.
  bool unclean = false;

  /// Takes over a verdict that outranks the present one.
  void Add(Verdict other, std::string other_reason, std::string other_next_step = {});
};

/// Puts the arrays on the device, makes the call, and looks at what it did:
///  1. the worker's own verdict (crashed, exited, too long, …);
///  2. work still pending that a read on the default stream would not wait for;
///  3. outputs and inputs, read on the default stream: inputs changed, bytes outside an array changed;
///  4. findings: refused launches and calls, kernels that did not end, everything else of severity error.
CallReport ObserveCall(Device& device, const CallRequest& request);

}  // namespace warplings
