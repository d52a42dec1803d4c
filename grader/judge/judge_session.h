// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "grader/core/exercise_result.h"
#include "grader/device/client.h"
#include "grader/judge/observed_call.h"
#include "grader/judge/suite_messages.h"
#include "grader/worker/worker.h"

namespace warplings {

/// The two processes that a submission's tests need, the device and the worker, kept over a run of the
/// suite. Either is started when a call needs it, and anew after a crash, a time-out or anything else
/// that would reach into the next call: only the test in hand fails.
class JudgeSession {
 public:
  explicit JudgeSession(const SuiteOrder& order) : order_(order), devices_(order.device) {}

  /// Makes the call itself: `pointers` are the arrays' device addresses.
  using CallFunction = std::function<CallOutcome(Worker& worker, std::span<const DevicePointer> pointers)>;
  CallReport Call(std::vector<CallArray> arrays, std::uint64_t max_warp_instructions,
                  const CallFunction& call);

  /// The calls that follow in this test find these devices, "virtual:t4,a100" (a device's number is its place
  /// in the list), instead of the one that the check was asked for; "": that one again. Only for functions
  /// that launch no kernel: the submission was built for the check's own device.
  void UseDevices(const std::string& spec);

  std::uint64_t seed() const { return order_.seed; }
  /// Text of the submission's answers file; empty where the exercise asks no questions or the file is
  /// missing. Hostile input.
  const std::string& answers() const { return order_.answers; }
  /// What ptxas gave the submission's kernels; known once a worker has run.
  const std::vector<KernelResources>& resources() const { return resources_; }
  const std::string& student_output() const { return student_output_; }
  /// As reports name it: "virtual:a100".
  const std::string& device_name() const { return order_.device; }

 private:
  /// Empty when both run; otherwise a report that says why not.
  std::optional<CallReport> Prepare();
  std::optional<CallReport> StartWorker();
  void AddLosses(CallReport& report);
  void KeepOutput(std::string printed);

  SuiteOrder order_;
  std::string devices_;  ///< That the processes are to have, and have if they run.
  std::unique_ptr<DeviceClient> device_;
  std::unique_ptr<Worker> worker_;  ///< Uses device_: goes first.
  std::vector<Finding> load_findings_;
  std::vector<KernelResources> resources_;
  std::string student_output_;
};

}  // namespace warplings
