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
  explicit JudgeSession(const SuiteOrder& order) : order_(order) {}

  /// Makes the call itself: `pointers` are the arrays' device addresses.
  using CallFunction = std::function<CallOutcome(Worker& worker, std::span<const DevicePointer> pointers)>;
  CallReport Call(std::vector<CallArray> arrays, std::uint64_t max_warp_instructions,
                  const CallFunction& call);

  std::uint64_t seed() const { return order_.seed; }
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
  std::unique_ptr<DeviceClient> device_;
  std::unique_ptr<Worker> worker_;  ///< Uses device_: goes first.
  std::vector<Finding> load_findings_;
  std::vector<KernelResources> resources_;
  std::string student_output_;
};

}  // namespace warplings
