// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "grader/core/finding.h"
#include "grader/core/kernel_resources.h"
#include "grader/core/launch_record.h"
#include "grader/device/client.h"
#include "grader/judge/suite_messages.h"
#include "grader/suite/observed_call.h"
#include "grader/worker/worker.h"

namespace warplings {

/// Makes the call itself: `pointers` are the arrays' device addresses. Run once for each device that sees the
/// call, so it sets what it gives and adds to nothing.
using SubmissionCall = std::function<CallOutcome(Worker& worker, std::span<const DevicePointer> pointers)>;

/// The two processes that a submission's tests need, the device and the worker, kept over a run of the
/// suite. Either is started when a call needs it, and anew after a crash, a time-out or anything else
/// that would reach into the next call: only the test in hand fails.
class ProcessPair {
 public:
  /// `memory_bytes` as in SuiteOrder.
  ProcessPair(std::string device_program, std::string worker_program, std::string devices,
              std::uint64_t memory_bytes)
      : device_program_(std::move(device_program)),
        worker_program_(std::move(worker_program)),
        devices_(std::move(devices)),
        memory_bytes_(memory_bytes) {}

  /// `detailed` as in CallRequest.
  CallReport Call(std::vector<CallArray> arrays, std::uint64_t max_warp_instructions,
                  const SubmissionCall& call, bool detailed);
  /// Ends both processes if they have other devices; the next call starts them with these.
  /// `current`: the one that is current when a function is called.
  void UseDevices(const std::string& devices, std::int32_t current = 0);
  const std::string& devices() const { return devices_; }
  /// The device process runs under a tool that makes everything much slower and writes at its end: limits are
  /// longer, and the process is asked to end before it is killed.
  void RunsUnderTool() { under_tool_ = true; }
  /// What ptxas gave the submission's kernels; known once a worker has run.
  const std::vector<KernelResources>& resources() const { return resources_; }
  /// False: the last worker hung before its first call, in a static constructor.
  bool became_ready() const { return became_ready_; }

 private:
  /// Empty when both run; otherwise a report that says why not.
  std::optional<CallReport> Prepare();
  std::optional<CallReport> StartWorker();
  /// Lets the worker's requests wait, or not. Empty when that is done; otherwise a report that says why not.
  std::optional<CallReport> Hold(bool hold);
  void AddLosses(CallReport& report);

  std::string device_program_, worker_program_;
  std::string devices_;  ///< That the processes are to have, and have if they run: "virtual:a100".
  std::uint64_t memory_bytes_ = 0;
  std::int32_t current_device_ = 0;
  bool under_tool_ = false, became_ready_ = true;
  std::unique_ptr<DeviceClient> device_;
  std::unique_ptr<Worker> worker_;  ///< Uses device_: goes first.
  std::vector<Finding> load_findings_;
  std::vector<KernelResources> resources_;
};

/// The calls that a suite makes of a submission. With a card, each call runs on the watcher first, the
/// virtual GPU, and reaches the card only if nothing was wrong: a student with a GPU is told what hardware
/// hides, counts are there, and no submission hangs or poisons a card that others share. What the card
/// computed is then compared. With SuiteOrder::card_decides the card runs every call, and only its counts are
/// the watcher's.
class JudgeSession {
 public:
  explicit JudgeSession(const SuiteOrder& order);

  /// Makes the call twice with the same inputs and reports on the second, unless the first went wrong
  /// already: whoever keeps a result for the next call of the same shape, or works in the first calls only,
  /// does not store the output in the second. Outputs that differ are a wrong result. What the first printed
  /// is kept, so that nobody reads it twice. Once two calls have run into the time limit, no further one is
  /// made: its report says kNotRun. One that hangs before it is called counts as two.
  CallReport Call(const std::vector<CallArray>& arrays, std::uint64_t max_warp_instructions,
                  const SubmissionCall& call);

  /// A call that decides nothing: made when all tests are over, on the virtual GPU where there is one; what
  /// it prints and counts is nobody's. Gets as long as a call does, so callers stop at the first that fails.
  CallReport Probe(std::vector<CallArray> arrays, std::uint64_t max_warp_instructions,
                   const SubmissionCall& call);

  /// The calls that follow in this test find these devices, "virtual:t4,a100" (a device's number is its place
  /// in the list), instead of the one that the check was asked for; "": that one again. Only for functions
  /// that launch no kernel: the submission was built for the check's own device.
  /// `current`: ordinal of the one that the caller has made current.
  void UseDevices(const std::string& spec, std::int32_t current = 0);

  std::uint64_t seed() const { return order_.seed; }
  /// Text of the submission's answers file; empty where the exercise asks no questions or the file is
  /// missing. Hostile input.
  const std::string& answers() const { return order_.answers; }
  /// What ptxas gave the submission's kernels; known once a worker has run.
  const std::vector<KernelResources>& resources() const;
  const std::string& student_output() const { return student_output_; }
  /// What was printed since this was last asked for; nothing where that is nothing.
  std::optional<PrintedText> TakePrinted() { return std::exchange(printed_, std::nullopt); }
  /// The watcher's counts of all launches that the card has run, too; by kernel.
  const std::vector<CardKernel>& card_kernels() const { return card_kernels_; }

 private:
  CallReport CallOnce(const std::vector<CallArray>& arrays, std::uint64_t max_warp_instructions,
                      const SubmissionCall& call);
  CallReport CallWatched(const std::vector<CallArray>& arrays, std::uint64_t max_warp_instructions,
                         const SubmissionCall& call);
  void CountOnCard(const std::vector<LaunchRecord>& launches);
  void KeepOutput(const std::string& printed);

  SuiteOrder order_;
  ProcessPair main_;
  std::optional<ProcessPair> watcher_;
  std::vector<CardKernel> card_kernels_;
  std::string student_output_;
  std::optional<PrintedText> printed_;  ///< Of it, what came in this test.
  int endless_calls_ = 0;
};

}  // namespace warplings
