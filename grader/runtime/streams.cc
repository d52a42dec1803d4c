// SPDX-License-Identifier: Apache-2.0
#include "grader/runtime/cuda_abi.h"
#include "grader/runtime/runtime.h"

namespace warplings::runtime {
namespace {

constexpr unsigned kNonBlocking = 1;    // cudaStreamNonBlocking
constexpr unsigned kDisableTiming = 2;  // cudaEventDisableTiming

constexpr std::uintptr_t kTagMask = 15;
constexpr std::uintptr_t kTimedTag = 6, kUntimedTag = 7;

void* EventHandle(EventId event, bool timed) {
  return reinterpret_cast<void*>(event << 4 | (timed ? kTimedTag : kUntimedTag));
}

bool IsTimed(void* handle) {
  return (reinterpret_cast<std::uintptr_t>(handle) & kTagMask) == kTimedTag;
}

/// The event behind a handle; for one that never was, a number that the device refuses.
EventId ToEvent(void* handle) {
  auto value = reinterpret_cast<std::uintptr_t>(handle);
  std::uintptr_t tag = value & kTagMask;
  return tag == kTimedTag || tag == kUntimedTag ? value >> 4 : ~EventId{0};
}

/// Runs `body(stream id)`.
template <class Body>
int WithStream(const char* call, void* handle, Body&& body) {
  return Forward(call, [&](Runtime& runtime) -> Outcome {
    auto stream = ToStream(runtime, handle);
    if (!stream) return stream.error();
    return body(runtime, *stream);
  });
}

Outcome Ready(const CudaResult<bool>& answer) {
  if (!answer) return answer.error();
  return *answer ? CudaError::kSuccess : CudaError::kNotReady;
}

int CreateStream(const char* call, void** stream, unsigned flags) {
  return Forward(call, [&](Runtime& runtime) -> Outcome {
    if (stream == nullptr || flags > kNonBlocking) return CudaError::kInvalidValue;
    auto made = runtime.device().CreateStream(0, static_cast<StreamFlags>(flags));
    if (!made) return made.error();
    if (flags == kNonBlocking) runtime.has_unordered_streams = true;
    *stream = StreamHandle(*made);
    return {};
  });
}

}  // namespace
}  // namespace warplings::runtime

using namespace warplings;
using namespace warplings::runtime;

// --- Streams ---------------------------------------------------------------------------------------

WARPLINGS_API int cudaStreamCreate(void** stream) {
  return CreateStream("cudaStreamCreate", stream, 0);
}

WARPLINGS_API int cudaStreamCreateWithFlags(void** stream, unsigned flags) {
  return CreateStream("cudaStreamCreateWithFlags", stream, flags);
}

/// Priorities order nothing here: every order that they could give is one that CUDA allows without.
WARPLINGS_API int cudaStreamCreateWithPriority(void** stream, unsigned flags, int) {
  return CreateStream("cudaStreamCreateWithPriority", stream, flags);
}

WARPLINGS_API int cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  if (least != nullptr) *least = 0;
  if (greatest != nullptr) *greatest = -5;  // As on current cards.
  return 0;
}

WARPLINGS_API int cudaStreamGetPriority(void*, int* priority) {
  if (priority == nullptr) return Finish(CudaError::kInvalidValue);
  *priority = 0;
  return 0;
}

WARPLINGS_API int cudaStreamGetDevice(void*, int* device) {
  if (device == nullptr) return Finish(CudaError::kInvalidValue);
  *device = 0;
  return 0;
}

WARPLINGS_API int cudaStreamGetId(void* handle, unsigned long long* id) {
  return WithStream("cudaStreamGetId", handle, [&](Runtime&, StreamId stream) -> Outcome {
    if (id == nullptr) return CudaError::kInvalidValue;
    *id = stream;
    return {};
  });
}

WARPLINGS_API int cudaStreamDestroy(void* handle) {
  return WithStream("cudaStreamDestroy", handle, [](Runtime& runtime, StreamId stream) {
    return runtime.device().DestroyStream(0, stream);
  });
}

WARPLINGS_API int cudaStreamQuery(void* handle) {
  return WithStream("cudaStreamQuery", handle, [](Runtime& runtime, StreamId stream) {
    return Ready(runtime.device().QueryStream(stream));
  });
}

WARPLINGS_API int cudaStreamSynchronize(void* handle) {
  return WithStream("cudaStreamSynchronize", handle, [](Runtime& runtime, StreamId stream) {
    CudaStatus status = runtime.device().SynchronizeStream(stream);
    runtime.DeliverPrinted();
    return status;
  });
}

WARPLINGS_API int cudaStreamWaitEvent(void* handle, void* event, unsigned) {
  return WithStream("cudaStreamWaitEvent", handle, [&](Runtime& runtime, StreamId stream) {
    return runtime.device().WaitEvent(stream, ToEvent(event));
  });
}

/// Managed memory is visible to host and device at any time here.
WARPLINGS_API int cudaStreamAttachMemAsync(void*, void*, std::size_t, unsigned) {
  return 0;
}

/// Never: graphs are not supported.
WARPLINGS_API int cudaStreamIsCapturing(void*, int* status) {
  if (status == nullptr) return Finish(CudaError::kInvalidValue);
  *status = 0;
  return 0;
}

/// The function runs when the stream's earlier work has; here the calling thread waits and calls it.
WARPLINGS_API int cudaLaunchHostFunc(void* handle, HostFunction function, void* data) {
  if (function == nullptr) return Finish(CudaError::kInvalidValue);
  int status = cudaStreamSynchronize(handle);
  if (status == 0) function(data);
  return status;
}

WARPLINGS_API int cudaStreamAddCallback(void* handle, StreamCallback callback, void* data, unsigned) {
  if (callback == nullptr) return Finish(CudaError::kInvalidValue);
  int status = cudaStreamSynchronize(handle);
  callback(handle, status, data);
  return status;
}

// --- Events ----------------------------------------------------------------------------------------

WARPLINGS_API int cudaEventCreateWithFlags(void** event, unsigned flags) {
  return Forward("cudaEventCreate", [&](Runtime& runtime) -> Outcome {
    if (event == nullptr) return Refused{CudaError::kInvalidValue, protocol::Refusal::kNullPointer};
    auto made = runtime.device().CreateEvent(0);
    if (!made) return made.error();
    *event = EventHandle(*made, (flags & kDisableTiming) == 0);
    return {};
  });
}

WARPLINGS_API int cudaEventCreate(void** event) {
  return cudaEventCreateWithFlags(event, 0);
}

WARPLINGS_API int cudaEventDestroy(void* event) {
  return Forward("cudaEventDestroy",
                 [&](Runtime& runtime) { return runtime.device().DestroyEvent(0, ToEvent(event)); });
}

WARPLINGS_API int cudaEventRecordWithFlags(void* event, void* handle, unsigned) {
  return WithStream("cudaEventRecord", handle, [&](Runtime& runtime, StreamId stream) {
    return runtime.device().RecordEvent(ToEvent(event), stream);
  });
}

WARPLINGS_API int cudaEventRecord(void* event, void* handle) {
  return cudaEventRecordWithFlags(event, handle, 0);
}

WARPLINGS_API int cudaEventQuery(void* event) {
  return Forward("cudaEventQuery",
                 [&](Runtime& runtime) { return Ready(runtime.device().QueryEvent(ToEvent(event))); });
}

WARPLINGS_API int cudaEventSynchronize(void* event) {
  return Forward("cudaEventSynchronize", [&](Runtime& runtime) {
    CudaStatus status = runtime.device().SynchronizeEvent(ToEvent(event));
    runtime.DeliverPrinted();
    return status;
  });
}

WARPLINGS_API int cudaEventElapsedTime(float* milliseconds, void* start, void* stop) {
  return Forward("cudaEventElapsedTime", [&](Runtime& runtime) -> Outcome {
    if (milliseconds == nullptr) return Refused{CudaError::kInvalidValue, protocol::Refusal::kNullPointer};
    bool timed = IsTimed(start) && IsTimed(stop);
    auto elapsed = runtime.device().ElapsedMilliseconds(timed ? ToEvent(start) : ~EventId{0}, ToEvent(stop));
    if (!elapsed) return elapsed.error();
    *milliseconds = *elapsed;
    return {};
  });
}

WARPLINGS_API int cudaEventElapsedTime_v2(float* milliseconds, void* start, void* stop) {
  return cudaEventElapsedTime(milliseconds, start, stop);
}
