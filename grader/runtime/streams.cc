// SPDX-License-Identifier: Apache-2.0
#include "grader/runtime/capture.h"
#include "grader/runtime/cuda_abi.h"
#include "grader/runtime/memory_pools.h"
#include "grader/runtime/runtime.h"

namespace warplings::runtime {
namespace {

constexpr unsigned kNonBlocking = 1;     // cudaStreamNonBlocking
constexpr unsigned kDisableTiming = 2;   // cudaEventDisableTiming
constexpr unsigned kRecordExternal = 1;  // cudaEventRecordExternal

bool IsTimed(Runtime& runtime, void* pointer) {
  auto handle = Unpack(runtime, pointer);
  return handle && handle->tag == HandleTag::kTimedEvent;
}

/// The event behind a handle, with its device in use from now on; for one that never was, a number that a
/// device refuses.
EventId ToEvent(Runtime& runtime, void* pointer) {
  auto handle = Unpack(runtime, pointer);
  const bool is_event =
      handle && (handle->tag == HandleTag::kTimedEvent || handle->tag == HandleTag::kUntimedEvent);
  if (!is_event) return ~EventId{0};
  runtime.device().UseDevice(handle->device);
  return handle->id;
}

/// True if the handle can only be that of a stream whose work waits until somebody waits for it.
bool IsNonBlocking(void* stream) {
  return TagOf(stream) == HandleTag::kNonBlockingStream;
}

/// A wait for a stream while something is captured: nothing, or its error.
std::optional<Outcome> RefuseWait(Runtime& runtime, void* handle) {
  auto refused = RefuseInCapture(runtime, handle);
  return refused ? refused : RefuseDuringCapture(runtime);
}

/// Runs `body(stream id)`.
template <class Body>
int WithStream(const char* call, void* handle, Body&& body,
               const std::optional<Waits>& waits = std::nullopt) {
  return Forward(
      call,
      [&](Runtime& runtime) -> Outcome {
        auto stream = ToStream(runtime, handle);
        if (!stream) return stream.error();
        return body(runtime, *stream);
      },
      waits);
}

Outcome Ready(const CudaResult<bool>& answer) {
  if (!answer) return answer.error();
  return *answer ? CudaError::kSuccess : CudaError::kNotReady;
}

int CreateStream(const char* call, void** stream, unsigned flags, int priority) {
  return Forward(call, [&](Runtime& runtime) -> Outcome {
    if (stream == nullptr || flags > kNonBlocking) return CudaError::kInvalidValue;
    auto made = runtime.device().Ask(protocol::CreateStream{static_cast<StreamFlags>(flags), priority});
    if (!made) return made.error();
    if (flags == kNonBlocking) runtime.has_unordered_streams = true;
    const HandleTag tag = flags == kNonBlocking ? HandleTag::kNonBlockingStream : HandleTag::kStream;
    *stream = Pack({*made, runtime.device().device_in_use(), tag});
    return {};
  });
}

}  // namespace
}  // namespace warplings::runtime

using namespace warplings;
using namespace warplings::runtime;

// --- Streams ---------------------------------------------------------------------------------------

WARPLINGS_API int cudaStreamCreate(void** stream) {
  return CreateStream("cudaStreamCreate", stream, 0, 0);
}

WARPLINGS_API int cudaStreamCreateWithFlags(void** stream, unsigned flags) {
  return CreateStream("cudaStreamCreateWithFlags", stream, flags, 0);
}

WARPLINGS_API int cudaStreamCreateWithPriority(void** stream, unsigned flags, int priority) {
  return CreateStream("cudaStreamCreateWithPriority", stream, flags, priority);
}

WARPLINGS_API int cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  if (least != nullptr) *least = protocol::kLeastPriority;
  if (greatest != nullptr) *greatest = protocol::kGreatestPriority;
  return 0;
}

WARPLINGS_API int cudaStreamGetPriority(void* handle, int* priority) {
  return WithStream("cudaStreamGetPriority", handle, [&](Runtime& runtime, StreamId stream) -> Outcome {
    if (priority == nullptr) return CudaError::kInvalidValue;
    auto answer = runtime.device().Ask(protocol::GetStreamPriority{stream});
    if (!answer) return answer.error();
    *priority = *answer;
    return {};
  });
}

WARPLINGS_API int cudaStreamGetDevice(void* handle, int* device) {
  return WithStream("cudaStreamGetDevice", handle, [&](Runtime& runtime, StreamId) -> Outcome {
    if (device == nullptr) return CudaError::kInvalidValue;
    *device = static_cast<int>(runtime.device().device_in_use());
    return {};
  });
}

WARPLINGS_API int cudaStreamGetId(void* handle, unsigned long long* id) {
  return WithStream("cudaStreamGetId", handle, [&](Runtime& runtime, StreamId stream) -> Outcome {
    if (id == nullptr) return CudaError::kInvalidValue;
    *id = stream * kMaxDevices + runtime.device().device_in_use();
    return {};
  });
}

WARPLINGS_API int cudaStreamDestroy(void* handle) {
  return WithStream("cudaStreamDestroy", handle, [&](Runtime& runtime, StreamId stream) {
    runtime.owned.erase(handle);
    return runtime.device().DestroyStream(0, stream);
  });
}

WARPLINGS_API int cudaStreamQuery(void* handle) {
  return WithStream(
      "cudaStreamQuery", handle,
      [&](Runtime& runtime, StreamId stream) -> Outcome {
        if (auto refused = RefuseWait(runtime, handle)) return *refused;
        return Ready(runtime.device().QueryStream(stream));
      },
      Waits{protocol::Awaited::kStreamQuery, handle});
}

WARPLINGS_API int cudaStreamSynchronize(void* handle) {
  return WithStream(
      "cudaStreamSynchronize", handle,
      [&](Runtime& runtime, StreamId stream) -> Outcome {
        if (auto refused = RefuseWait(runtime, handle)) return *refused;
        CudaStatus status = runtime.device().SynchronizeStream(stream);
        ReleaseUnusedMemory();
        runtime.DeliverPrinted();
        return status;
      },
      Waits{protocol::Awaited::kStream, handle});
}

WARPLINGS_API int cudaStreamWaitEvent(void* handle, void* event, unsigned) {
  // Any other stream waits here and now.
  std::optional<Waits> waits;
  if (!IsNonBlocking(handle)) waits = Waits{protocol::Awaited::kEvent, event};
  return WithStream(
      "cudaStreamWaitEvent", handle,
      [&](Runtime& runtime, StreamId stream) -> Outcome {
        if (auto captured = CaptureWait(runtime, handle, event)) return *captured;
        const std::size_t of_stream = runtime.device().device_in_use();
        const EventId id = ToEvent(runtime, event);
        if (runtime.device().device_in_use() == of_stream) return runtime.device().WaitEvent(stream, id);
        // Another device's event: waiting for it here and now is one of the orders that CUDA allows.
        return runtime.device().SynchronizeEvent(id);
      },
      waits);
}

/// Managed memory is visible to host and device at any time here.
WARPLINGS_API int cudaStreamAttachMemAsync(void*, void*, std::size_t, unsigned) {
  return 0;
}

WARPLINGS_API int cudaStreamGetFlags(void* handle, unsigned* flags) {
  return WithStream("cudaStreamGetFlags", handle, [&](Runtime& runtime, StreamId stream) -> Outcome {
    if (flags == nullptr) return CudaError::kInvalidValue;
    auto known = runtime.device().Ask(protocol::GetStreamPriority{stream});
    if (!known) return known.error();
    *flags = IsNonBlocking(handle) ? kNonBlocking : 0;
    return {};
  });
}

// --- Events ----------------------------------------------------------------------------------------

WARPLINGS_API int cudaEventCreateWithFlags(void** event, unsigned flags) {
  return Forward("cudaEventCreate", [&](Runtime& runtime) -> Outcome {
    if (event == nullptr) return Refused{CudaError::kInvalidValue, protocol::Refusal::kNullPointer};
    auto made = runtime.device().CreateEvent(0);
    if (!made) return made.error();
    const bool timed = (flags & kDisableTiming) == 0;
    *event = Pack(
        {*made, runtime.device().device_in_use(), timed ? HandleTag::kTimedEvent : HandleTag::kUntimedEvent});
    return {};
  });
}

WARPLINGS_API int cudaEventCreate(void** event) {
  return cudaEventCreateWithFlags(event, 0);
}

WARPLINGS_API int cudaEventDestroy(void* event) {
  return Forward("cudaEventDestroy", [&](Runtime& runtime) {
    ForgetEvent(event);
    runtime.owned.erase(event);
    const EventId id = ToEvent(runtime, event);
    return runtime.device().DestroyEvent(0, id);
  });
}

WARPLINGS_API int cudaEventRecordWithFlags(void* event, void* handle, unsigned flags) {
  return WithStream("cudaEventRecord", handle, [&](Runtime& runtime, StreamId stream) -> Outcome {
    const bool is_external = flags == kRecordExternal;
    if (auto captured = CaptureRecord(runtime, event, handle, is_external)) return *captured;
    // Both are of one device (CUDA C++ Programming Guide, "Stream and Event Behavior").
    const std::size_t of_stream = runtime.device().device_in_use();
    const EventId id = ToEvent(runtime, event);
    if (runtime.device().device_in_use() != of_stream) return CudaError::kInvalidResourceHandle;
    return runtime.device().RecordEvent(id, stream);
  });
}

WARPLINGS_API int cudaEventRecord(void* event, void* handle) {
  return cudaEventRecordWithFlags(event, handle, 0);
}

WARPLINGS_API int cudaEventQuery(void* event) {
  return Forward(
      "cudaEventQuery",
      [&](Runtime& runtime) -> Outcome {
        if (auto refused = RefuseCapturedEvent(runtime, event)) return *refused;
        const EventId id = ToEvent(runtime, event);
        return Ready(runtime.device().QueryEvent(id));
      },
      Waits{protocol::Awaited::kEventQuery, event});
}

WARPLINGS_API int cudaEventSynchronize(void* event) {
  return Forward(
      "cudaEventSynchronize",
      [&](Runtime& runtime) -> Outcome {
        if (auto refused = RefuseCapturedEvent(runtime, event)) return *refused;
        const EventId id = ToEvent(runtime, event);
        CudaStatus status = runtime.device().SynchronizeEvent(id);
        ReleaseUnusedMemory();
        runtime.DeliverPrinted();
        return status;
      },
      Waits{protocol::Awaited::kEvent, event});
}

WARPLINGS_API int cudaEventElapsedTime(float* milliseconds, void* start, void* stop) {
  return Forward("cudaEventElapsedTime", [&](Runtime& runtime) -> Outcome {
    if (milliseconds == nullptr) return Refused{CudaError::kInvalidValue, protocol::Refusal::kNullPointer};
    bool timed = IsTimed(runtime, start) && IsTimed(runtime, stop);
    const EventId first = ToEvent(runtime, start);
    const std::size_t of_first = runtime.device().device_in_use();
    const EventId last = ToEvent(runtime, stop);
    if (runtime.device().device_in_use() != of_first) return CudaError::kInvalidResourceHandle;
    auto elapsed = runtime.device().ElapsedMilliseconds(timed ? first : ~EventId{0}, last);
    if (!elapsed) return elapsed.error();
    *milliseconds = *elapsed;
    return {};
  });
}

WARPLINGS_API int cudaEventElapsedTime_v2(float* milliseconds, void* start, void* stop) {
  return cudaEventElapsedTime(milliseconds, start, stop);
}
