// SPDX-License-Identifier: Apache-2.0
#include "grader/runtime/host_functions.h"

#include <atomic>
#include <condition_variable>
#include <utility>

#include "grader/runtime/capture.h"
#include "grader/runtime/cuda_abi.h"

namespace warplings::runtime {
namespace {

/// With more, they run before the next one is launched.
constexpr std::size_t kMostKept = 1024;
/// Far below what a device keeps for its streams (PendingBudget).
constexpr std::uint64_t kMostCallsBehind = 10'000, kMostBytesBehind = std::uint64_t{64} << 20;

struct Kept {
  HostCall call;
  bool runs = false;
};

/// The mutex of the Runtime guards all but `count`.
struct HostFunctions {
  std::map<std::pair<std::size_t, std::uint64_t>, Kept> kept;  ///< By device and number.
  std::condition_variable ended;
  std::uint64_t calls_behind = 0, bytes_behind = 0;
  std::atomic<std::size_t> count = 0;  ///< Of those that are kept.
};

HostFunctions& TheHostFunctions() {
  static HostFunctions* const functions = new HostFunctions;
  return *functions;
}

/// The id of what the call waits for, with its device in use; nothing if it waits for nothing of a device.
std::optional<std::uint64_t> IdOf(Runtime& runtime, protocol::Awaited awaited, void* handle) {
  using protocol::Awaited;
  if (awaited == Awaited::kAll) return 0;
  if (awaited == Awaited::kStream || awaited == Awaited::kStreamQuery) {
    auto stream = ToStream(runtime, handle);
    if (!stream) return std::nullopt;
    return *stream;
  }
  const auto event = Unpack(runtime, handle);
  if (!event) return std::nullopt;
  runtime.device().UseDevice(event->device);
  return event->id;
}

/// Runs one function, and the lock is not held meanwhile; or waits for the thread that runs it.
void RunKept(Runtime& runtime, std::unique_lock<std::mutex>& lock, std::uint64_t number) {
  HostFunctions& functions = TheHostFunctions();
  const std::pair key{runtime.device().device_in_use(), number};
  const auto found = functions.kept.find(key);
  if (found != functions.kept.end() && found->second.runs) {
    functions.ended.wait(lock, [&] { return !functions.kept.contains(key); });
    return;
  }
  if (found != functions.kept.end()) {
    found->second.runs = true;
    const HostCall call = found->second.call;
    lock.unlock();
    RunNow(call);
    lock.lock();
  }
  runtime.device().UseDevice(key.first);
  (void)runtime.device().Ask(protocol::EndHostFunction{number});
  functions.kept.erase(key);
  functions.count = functions.kept.size();
  functions.ended.notify_all();
}

/// Runs all that are kept on the current device.
void RunAll() noexcept {
  (void)Forward(
      "cudaLaunchHostFunc", [](Runtime&) { return Outcome(); }, Waits{});
}

int LaunchInStream(const char* name, const HostCall& call) {
  if (TheHostFunctions().count >= kMostKept) RunAll();
  bool runs_now = false;
  const int status = Forward(name, [&](Runtime& runtime) -> Outcome {
    if (call.function == nullptr && call.callback == nullptr) return CudaError::kInvalidValue;
    if (call.callback != nullptr) {
      if (auto refused = RefuseInCapture(runtime, call.stream)) return *refused;
    } else if (IsAnythingCaptured()) {
      if (auto captured = CaptureWork(runtime, call.stream, call)) return *captured;
    }
    auto stream = ToStream(runtime, call.stream);
    if (!stream) return stream.error();
    return LaunchHostCall(runtime, *stream, call, runs_now);
  });
  if (runs_now) RunNow(call);
  return status;
}

}  // namespace

void RunAwaitedHostFunctions(Runtime& runtime, std::unique_lock<std::mutex>& lock, const Waits& waits) {
  while (!TheHostFunctions().kept.empty() && runtime.sticky == CudaError::kSuccess) {
    runtime.device().UseDevice(static_cast<std::size_t>(CurrentDevice()));
    const auto id = IdOf(runtime, waits.awaited, waits.handle);
    if (!id) return;
    auto next = runtime.device().Ask(protocol::AdvanceToHostFunction{waits.awaited, *id});
    if (!next || *next == 0) return;
    RunKept(runtime, lock, *next);
  }
}

void NoteWork(std::uint64_t bytes) noexcept {
  if (TheHostFunctions().count == 0 || IsInHostFunction()) return;
  try {
    Runtime& runtime = Runtime::Get();
    std::unique_lock lock(runtime.mutex());
    if (runtime.Connect() != nullptr) NoteWork(runtime, lock, bytes, 1);
  } catch (...) {
    Warn("out of memory while functions of the host were run.");
  }
}

void NoteWork(Runtime& runtime, std::unique_lock<std::mutex>& lock, std::uint64_t bytes,
              std::uint64_t calls) {
  HostFunctions& functions = TheHostFunctions();
  if (functions.kept.empty()) return;
  functions.calls_behind += calls;
  functions.bytes_behind += bytes;
  if (functions.calls_behind < kMostCallsBehind && functions.bytes_behind < kMostBytesBehind) return;
  functions.calls_behind = functions.bytes_behind = 0;
  RunAwaitedHostFunctions(runtime, lock, {});
}

Outcome LaunchHostCall(Runtime& runtime, StreamId stream, const HostCall& call, bool& runs_now) {
  auto number = runtime.device().Ask(protocol::LaunchHostFunction{stream});
  if (!number) return number.error();
  runs_now = *number == 0;
  if (runs_now) return {};
  HostFunctions& functions = TheHostFunctions();
  if (functions.kept.empty()) functions.calls_behind = functions.bytes_behind = 0;
  functions.kept[{runtime.device().device_in_use(), *number}] = {call};
  functions.count = functions.kept.size();
  return {};
}

void RunNow(const HostCall& call) {
  IsInHostFunction() = true;
  if (call.function != nullptr) call.function(call.data);
  if (call.callback != nullptr) call.callback(call.stream, 0, call.data);
  IsInHostFunction() = false;
}

}  // namespace warplings::runtime

using namespace warplings;
using namespace warplings::runtime;

WARPLINGS_API int cudaLaunchHostFunc(void* stream, HostFunction function, void* data) {
  return LaunchInStream("cudaLaunchHostFunc", {.function = function, .stream = stream, .data = data});
}

/// The flags are reserved, and 0.
WARPLINGS_API int cudaStreamAddCallback(void* stream, StreamCallback callback, void* data, unsigned flags) {
  return LaunchInStream("cudaStreamAddCallback",
                        {.callback = flags == 0 ? callback : nullptr, .stream = stream, .data = data});
}
