// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "grader/core/finding.h"
#include "grader/core/kernel_resources.h"
#include "grader/core/launch_record.h"
#include "grader/device/client.h"
#include "grader/suite/input_use.h"
#include "grader/suite/observed_call.h"
#include "grader/suite/run_memory.h"
#include "grader/suite/suite_messages.h"
#include "grader/worker/worker.h"

namespace warplings {

/// Makes the call; `pointers` are the arrays' device addresses. It may run several times for one call, once
/// per device, so it must assign its results and never accumulate them.
using SubmissionCall = std::function<CallOutcome(Worker& worker, std::span<const DevicePointer> pointers)>;

/// The device process and the worker process of a submission, kept alive during a run of the suite. Each is
/// started when a call first needs it, and restarted after a crash, a time-out or anything else that would
/// affect the next call, so that only the running test fails.
class ProcessPair {
 public:
  ProcessPair(std::string device_program, WorkerProgram worker_program, std::string devices,
              const MemoryOptions& memory)
      : device_program_(std::move(device_program)),
        worker_program_(std::move(worker_program)),
        devices_(std::move(devices)),
        memory_(memory) {}

  /// `detailed` and `changed_before` as in CallRequest.
  CallReport Call(std::vector<CallArray> arrays, std::uint64_t max_warp_instructions,
                  const SubmissionCall& call, bool detailed, int changed_before = -1);
  /// A call whose blocks start in another order, and of which only the outputs are read.
  CallReport CallReordered(std::vector<CallArray> arrays, std::uint64_t max_warp_instructions,
                           const SubmissionCall& call, int changed_before = -1);
  /// A call that decides nothing, as JudgeSession's. Its arrays stay where they are for the next one.
  CallReport Probe(std::vector<CallArray> arrays, std::uint64_t max_warp_instructions,
                   const SubmissionCall& call);
  /// Stops both processes if they have other devices; the next call starts them with these. `current`:
  /// ordinal of the device that is current when a function is called.
  void UseDevices(const std::string& devices, std::int32_t current = 0);
  const std::string& devices() const { return devices_; }
  /// Declares that the device process runs under a tool, which slows everything down and writes its report at
  /// the end: time limits are longer, and the process is asked to exit before it is killed.
  void RunsUnderTool() { under_tool_ = true; }
  /// Resources that ptxas assigned to the submission's kernels; known once a worker has run.
  const std::vector<KernelResources>& resources() const { return resources_; }
  /// False if the last worker hung before its first call, in a static constructor.
  bool became_ready() const { return became_ready_; }

 private:
  /// Makes sure that both processes run. Returns nothing, or a report that says why they do not.
  std::optional<CallReport> Prepare();
  std::optional<CallReport> StartWorker();
  /// What is asked for at the end of each call.
  struct Losses {
    std::vector<protocol::Violation> violations;
    bool memory_ran_out = false;  ///< Also where the device does not answer.
    std::string thrown;           ///< protocol::InternalFaults::thrown
    std::vector<KernelResources> resources;
  };
  /// Makes the call with the processes; `request` needs its arrays and limits only.
  CallReport Observe(CallRequest request, const SubmissionCall& call);
  /// Adds what became of the device, and keeps the resources of the submission's kernels.
  void AddLosses(CallReport& report, Losses losses);
  /// Ends both processes; the next call starts them again.
  void Stop();

  std::string device_program_;
  WorkerProgram worker_program_;
  /// The devices that the processes have if they run, or get when they start: "virtual:a100".
  std::string devices_;
  MemoryOptions memory_;
  std::int32_t current_device_ = 0;
  bool under_tool_ = false, became_ready_ = true;
  WorkerTime spent_;  ///< By the workers that have ended.
  /// Processor time of the virtual GPU's process after the latest call, and of those that have ended.
  std::chrono::nanoseconds device_time_{0}, ended_devices_time_{0};
  std::unique_ptr<DeviceClient> device_;
  // What uses device_ is destroyed before it.
  std::unique_ptr<Worker> worker_;
  std::vector<DeviceArray> probed_arrays_;  ///< Of the latest Probe.
  std::vector<Finding> load_findings_;
  std::vector<KernelResources> resources_;
};

/// Makes a suite's calls of the submission. With a card, each call runs on a virtual GPU, the watcher, first,
/// and reaches the card only if nothing went wrong there: so a student with a GPU learns of errors that
/// hardware hides, counts exist, and no submission hangs or corrupts a card that others use. The card's
/// results are the ones that are compared. With SuiteOrder::card_decides the card runs every call, and only
/// the counts come from the watcher.
class JudgeSession {
 public:
  explicit JudgeSession(const SuiteOrder& order);

  /// Makes the call two or three times with the same inputs, until one fails. Outputs that differ are a wrong
  /// result.
  ///  1. The first call.
  ///  2. The second: a submission that caches a result for the next call of the same shape, or works only in
  ///     its first calls, does not store the output in it. Before it, where the first was short, the function
  ///     is called with the same arrays while one input has other elements, which the contract allows
  ///     (CallArray::other): a submission that knows an array by its address and size computes with those.
  ///  3. The third, where it is short and the order of blocks may show in integers: as the second, but with
  ///     the blocks in another order. A submission that relies on their order, or reads flags that an earlier
  ///     call has set, stores other values. Only what is wrong in it is reported, and no counts.
  /// Otherwise the report is that of the second call. Only the first call's printed text is kept, so that
  /// nobody reads it twice. After two calls have reached the time limit, no further call is made, and reports
  /// say kNotRun. A worker that hangs before its first call counts as two.
  /// With an input that the suite declares wrongly (CallArray::fault), no call is made: the fault is ours.
  CallReport Call(const std::vector<CallArray>& arrays, std::uint64_t max_warp_instructions,
                  const SubmissionCall& call);

  /// A call that decides nothing, made after all tests, on the virtual GPU if there is one; its output and
  /// counts are dropped. It has the time limit of an ordinary call, so callers should stop at the first one
  /// that fails.
  CallReport Probe(std::vector<CallArray> arrays, std::uint64_t max_warp_instructions,
                   const SubmissionCall& call);

  /// Makes the latest Call once more as the first call of new processes, and returns the label of an output
  /// in which it stores other values than `report` has, with or without findings; nothing where it stores the
  /// same or does not end well. Decides nothing. What the latest call's function refers to must still exist.
  std::optional<std::string> DiffersInNewProcesses(const CallReport& report);
  /// An output was found to depend on the calls before.
  bool depends_on_earlier_calls() const { return depends_on_earlier_calls_; }

  /// The following calls of this test see these devices, such as "virtual:t4,a100" (ordinals in list order),
  /// instead of the check's own device; "": the check's own again. Only for functions that launch no kernel,
  /// because the submission was built for the check's own device. `current`: ordinal of the device that the
  /// caller has made current.
  void UseDevices(const std::string& spec, std::int32_t current = 0);

  /// From here on no call is made, and reports say kNotRun: the suite's calls only show its inputs.
  void OnlyListInputs() { only_lists_inputs_ = true; }
  /// The inputs of all calls since then.
  const InputUses& inputs() const { return inputs_; }
  /// The labels of their outputs.
  const std::set<std::string>& outputs() const { return outputs_; }

  std::uint64_t seed() const { return order_.seed; }
  /// Text of the submission's answers file; empty if the exercise asks no questions or the file is missing.
  /// Untrusted input.
  const std::string& answers() const { return order_.answers; }
  /// Resources that ptxas assigned to the submission's kernels; known once a worker has run.
  const std::vector<KernelResources>& resources() const;
  const std::string& student_output() const { return student_output_; }
  /// Returns and clears what was printed since the last call of this function; nothing if nothing was.
  std::optional<PrintedText> TakePrinted() { return std::exchange(printed_, std::nullopt); }
  /// The watcher's counts, by kernel, of all launches that ran on the card as well.
  const std::vector<CardKernel>& card_kernels() const { return card_kernels_; }

 private:
  /// The budget of a call, which is a part of it once kernels have not ended.
  std::uint64_t BudgetOf(std::uint64_t max_warp_instructions) const;
  CallReport CallOnce(const std::vector<CallArray>& arrays, std::uint64_t max_warp_instructions,
                      const SubmissionCall& call, int changed_before = -1);
  /// Which input has other elements in a call before the second; -1: there is none.
  int ChooseChanged(const std::vector<CallArray>& arrays, const CallReport& first);
  /// Whether the order of its blocks may show in the outputs of the latest call, and the virtual GPU can
  /// change it at little cost.
  bool IsReorderable(const CallReport& report) const;
  /// Makes the latest call, which has passed with this report, with its blocks in another order, and reports
  /// what is wrong then.
  void CallReordered(CallReport& report, int changed_before);
  /// Makes the latest call as the first one of new processes; nothing where it has been done too often, or
  /// does not end well.
  std::optional<CallReport> CallInNewProcesses(BlockOrder order);
  CallReport CallWatched(const std::vector<CallArray>& arrays, std::uint64_t max_warp_instructions,
                         const SubmissionCall& call, int changed_before);
  void CountOnCard(const std::vector<LaunchRecord>& launches);
  void KeepOutput(const std::string& printed);

  SuiteOrder order_;
  ProcessPair main_;
  std::optional<ProcessPair> watcher_;
  std::vector<CardKernel> card_kernels_;
  std::string student_output_;
  std::optional<PrintedText> printed_;  ///< The part of it printed in this test.
  /// The latest Call, for DiffersInNewProcesses.
  struct Latest {
    std::vector<CallArray> arrays;
    std::uint64_t max_warp_instructions = 0;
    SubmissionCall call;
  };
  Latest latest_;
  InputUses inputs_;
  std::set<std::string> outputs_;
  bool only_lists_inputs_ = false;
  int asked_in_new_processes_ = 0;
  bool depends_on_earlier_calls_ = false;
  std::size_t changed_calls_ = 0;  ///< Calls of which an input was changed before.
  int endless_calls_ = 0;          ///< Calls stopped by a time limit.
  int endless_kernels_ = 0;        ///< Kernels stopped by the watchdog's instruction budget.
};

}  // namespace warplings
