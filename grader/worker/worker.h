// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "grader/base/result.h"
#include "grader/base/unique_fd.h"
#include "grader/core/verdict.h"
#include "grader/device/device.h"
#include "grader/sandbox/process.h"
#include "grader/worker/call_processor_time.h"
#include "grader/worker/protocol.h"

namespace warplings {

/// What the start and the calls of a worker have taken. Nothing is idle that computes, in host code or in a
/// kernel, or that would if the machine had a processor left: the load of a machine makes neither longer.
struct WorkerTime {
  std::chrono::nanoseconds processor{0};  ///< Of host code.
  std::chrono::nanoseconds idle{0};
};

struct WorkerOptions {
  std::filesystem::path program;
  /// Time of one call, kernels included, less the time in which the machine had no processor left for it: a
  /// verdict must not depend on what else the machine does.
  std::chrono::milliseconds call_time_limit{10'000};
  std::chrono::milliseconds start_time_limit{
      10'000};  ///< The same until main(): registration of modules, static constructors.
  /// Processor time of host code, for the start and for each call. Unlike wall time, it does not depend on
  /// the machine's load. Kernels run in another process and do not count.
  std::chrono::milliseconds processor_time_limit{10'000};
  WorkerTime sum_limit{std::chrono::hours(1), std::chrono::hours(1)};  ///< Of the start and all calls.
  WorkerTime spent{};  ///< What workers before this one have taken of it.
  pid_t device_process =
      -1;  ///< Where kernels run; while that computes, the worker does not sleep. -1: none.
  std::uint64_t output_limit = 64u << 10;               ///< Bytes printed over the worker's lifetime.
  std::uint64_t memory_limit = std::uint64_t{4} << 30;  ///< Address space, managed memory included.
};

/// The outcome of one call of the student's function.
struct CallOutcome {
  Verdict verdict = Verdict::kPassed;  ///< kPassed: it returned; says nothing about its results, which are in
                                       ///< device memory.
  Message reason, next_step;           ///< Empty when it returned.
  std::vector<std::byte> result;       ///< The claimed return value; empty for void.
  std::string printed;                 ///< Standard output and error during this call.
  std::int32_t last_error = 0;         ///< The worker's cudaPeekAtLastError(): a hint, not evidence.

  /// The result as the contract's type; nothing if the size differs. A bool is read as a byte, because not
  /// every byte is a valid bool.
  template <class T>
  std::optional<T> ResultAs() const {
    static_assert(std::is_trivially_copyable_v<T>);
    if (result.size() != sizeof(T)) return std::nullopt;
    if constexpr (std::is_same_v<T, bool>) return result[0] != std::byte{0};
    T value;
    std::memcpy(&value, result.data(), sizeof value);
    return value;
  }
};

/// The judge's handle of a submission's process in its sandbox. Everything that the process sends is
/// untrusted: it may hang, flood, lie or die at any moment, and each of these has its verdict. After any
/// outcome but a return the process is dead, and the next call needs a new Worker.
///
/// The thread that starts a worker must outlive it (see sandbox::Process).
class Worker {
 public:
  /// Starts the program and waits until it is ready for calls, so that its modules are registered. `attach`
  /// hands one end of the worker's device connection to the device. An Error blames the grader. A submission
  /// that fails already here (because a static constructor crashes) gives a Worker that is not alive() and
  /// whose first Call says why.
  static Result<std::unique_ptr<Worker>> Start(const WorkerOptions& options,
                                               const std::function<CudaResult<ClientId>(int fd)>& attach);

  /// Calls the exercise's entry function. The arguments must have the sizes of the contract's parameters;
  /// pass a DevicePointer for a pointer.
  template <class... Args>
  CallOutcome Call(Args... arguments) {
    static_assert((std::is_trivially_copyable_v<Args> && ...));
    return CallWith({Encode(arguments)...});
  }
  CallOutcome CallWith(std::vector<worker::Value> arguments);

  /// False if it was stopped at a time limit before it was ready; starting it again would end the same way.
  bool became_ready() const { return !start_failure_ || start_failure_->verdict != Verdict::kTimeLimit; }

  /// Sets the ordinal of the device that is current when a function is called from now on.
  void UseDevice(std::int32_t device) { device_ = device; }

  bool alive() const { return alive_; }
  /// What the start and all calls so far have taken, with that of the workers before.
  const WorkerTime& time() const { return time_; }
  /// Processor time that WorkerOptions::device_process has used in its life; 0 where there is none, or it has
  /// ended.
  std::chrono::nanoseconds DeviceTime() const;
  ClientId client() const { return client_; }

 private:
  Worker(const WorkerOptions& options, ClientId client, UniqueFd control,
         std::unique_ptr<sandbox::Process> process);

  using Clock = sandbox::Process::Clock;
  struct Packet;

  template <class T>
  static worker::Value Encode(const T& value) {
    worker::Value bytes(sizeof value);
    std::memcpy(bytes.data(), &value, sizeof value);
    return bytes;
  }

  /// One look at a worker that has not answered yet, and what had been used by then.
  struct Look {
    Clock::time_point when;
    std::chrono::nanoseconds used{0}, device_used{0};
  };
  /// What limits the call that is waited for.
  struct CallLimits {
    Clock::duration limit;
    Clock::time_point start;
    CallProcessorTime processor_time;
    Clock::duration starved{0};  ///< How long it would have computed, had the machine had a processor left.

    Clock::time_point Deadline() const;
  };
  Packet Receive(CallLimits& limits);
  /// A limit on processor time or idle time that has been reached.
  std::optional<Packet> LookAtLimits(Look& last, Clock::duration pause, CallLimits& limits);
  /// Of the time between two looks, in which neither the worker nor its device had a processor.
  static Clock::duration Unused(const Look& last, const Look& now);
  /// Adds the time since the last look to time_.idle if nobody computed meanwhile.
  void AddIdle(const Look& last, const Look& now, Clock::duration at_most);
  bool HasAnswered() const;
  CallOutcome FailAtSum(bool of_processor);
  CallOutcome AwaitAnswer(std::uint64_t number, worker::AnswerKind expected);
  CallOutcome FailAtLimit(std::chrono::milliseconds limit, bool of_processor, bool starting);
  CallOutcome Fail(Verdict verdict, Message reason, Message next_step);
  CallOutcome ExplainEnd();
  CallOutcome ExplainSignal(int signal);
  /// Whether an answer is a hint at what will end the process. Each kind is kept once.
  bool KeepHint(const worker::CallAnswer& answer);

  const WorkerOptions options_;
  const ClientId client_;
  UniqueFd control_;
  std::unique_ptr<sandbox::Process> process_;
  std::optional<CallOutcome> start_failure_;
  std::uint64_t calls_ = 0;
  std::int32_t device_ = 0;
  bool alive_ = true;
  WorkerTime time_;
  bool out_of_memory_ = false;
  std::optional<HostFault> fault_;  ///< What the worker said of its end: for words, never for a verdict.
};

}  // namespace warplings
