// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "grader/core/finding.h"
#include "grader/core/launch_record.h"
#include "grader/core/verdict.h"
#include "grader/device/client.h"
#include "grader/suite/device_array.h"
#include "grader/worker/worker.h"

namespace warplings {

/// One call of a submission's function: its arrays, and how to make the call once they are on the device.
struct CallRequest {
  std::vector<CallArray> arrays;
  /// Makes the call; receives the arrays' device addresses in the order of `arrays`.
  std::function<CallOutcome(std::span<const DevicePointer>)> call;
  /// The submission's connection to the device. It is served during the call only: what the submission did
  /// outside one nobody would see. None: nobody is held.
  std::optional<ClientId> client;
  /// The watchdog's budget of warp instructions for each launch: many times what a correct kernel needs, even
  /// a slow one.
  std::uint64_t max_warp_instructions = 0;
  /// Also record memory requests in full and the data for an estimate.
  bool detailed = false;
  /// The call decides nothing (JudgeSession::Probe): inputs are not read back, neither the writers of arrays
  /// nor the traffic with them are recorded, and nothing is checked but bounds.
  bool is_probe = false;
  Fence fence = Fence::kDevice;
  /// Before the call that is reported, the function is called with the same arrays, at the same addresses,
  /// of which this one, an input, has other elements; -1: no such call. What a submission keeps by an array's
  /// address is out of date then.
  int changed_before = -1;
  /// In which blocks that may communicate start.
  BlockOrder block_order = BlockOrder::kAscending;
  /// Findings from loading the submission's kernels, before any call; they are added to every call.
  std::vector<Finding> load_findings;
  /// Adds what its caller asks behind each call that was made, for the message that ends it.
  std::function<void(CallBatch&)> at_end;
};

/// The outcome of a call. Only the suite can tell whether outputs are *right*; everything else is decided
/// here.
struct CallReport {
  Verdict verdict = Verdict::kPassed;
  Message reason, next_step;  ///< They belong to the verdict.
  /// The bytes of each array after the call; empty if it could not be read.
  std::vector<std::vector<std::byte>> contents;
  /// The same of the call before, with CallRequest::changed_before.
  std::vector<std::vector<std::byte>> contents_before;
  std::vector<Finding> findings;
  std::optional<std::size_t> advised;  ///< Index in `findings` of the one that `next_step` is about.
  std::vector<LaunchRecord> launches;
  /// For each array that is not empty; none at all if the device does not track writers.
  std::vector<ArrayWriters> writers;
  std::vector<std::string> empty_arrays;  ///< The labels of the others.
  /// No array of the call has elements to read: the submission copies its inputs to the device itself.
  bool has_no_inputs = false;
  std::string printed;  ///< Output of host and device code.
  /// The call left something behind (pending work, a dead process, a corrupted device) that would affect the
  /// next one; both processes must be restarted.
  bool unclean = false;
  /// The call was stopped by a time limit. Not set for a kernel that used up its instruction budget, which
  /// ends much sooner.
  bool stopped = false;

  /// Sets the verdict if it takes precedence over the present one; true if so.
  bool Add(Verdict other, Message other_reason, Message other_next_step = {});
};

/// Adds what the answer to HoldClient tells: a device that was reset, or one that cannot hold the client. Of
/// a device that is gone others tell.
void AddHold(CallReport& report, const CudaResult<protocol::Served>& served, const DeviceClient& device);

/// Copies the arrays to the device, makes the call, and checks what it did:
///  1. the worker's own verdict (crashed, exited, too long, …);
///  2. work still pending that a read on the default stream would not wait for;
///  3. outputs and inputs, read on the default stream: inputs changed, bytes outside an array changed;
///  4. findings: refused launches and calls, kernels that did not end, everything else of severity error.
///
/// `arrays`: those of an earlier call, which are used again if they have the sizes of the request's;
/// otherwise they are freed, and these allocated. They stay for the next call or for AddFrees; after a report
/// that is `unclean` they are of no use.
CallReport ObserveCall(DeviceClient& device, const CallRequest& request, std::vector<DeviceArray>& arrays);

}  // namespace warplings
