// SPDX-License-Identifier: Apache-2.0
#include "grader/runtime/driver.h"
#include "grader/runtime/runtime_calls.h"

using namespace warplings;
using namespace warplings::runtime;

// --- Streams ---------------------------------------------------------------------------------------

WARPLINGS_API int cuStreamCreate(void** stream, unsigned flags) {
  return Drive("cuStreamCreate",
               [&] { return OwnMade(cudaStreamCreateWithFlags(stream, flags), stream, cudaStreamDestroy); });
}

WARPLINGS_API int cuStreamCreateWithPriority(void** stream, unsigned flags, int priority) {
  return Drive("cuStreamCreateWithPriority", [&] {
    return OwnMade(cudaStreamCreateWithPriority(stream, flags, priority), stream, cudaStreamDestroy);
  });
}

WARPLINGS_API int cuStreamDestroy_v2(void* stream) {
  return Drive("cuStreamDestroy", [&] { return cudaStreamDestroy(stream); });
}

WARPLINGS_API int cuStreamSynchronize(void* stream) {
  return Drive("cuStreamSynchronize", [&] { return cudaStreamSynchronize(stream); });
}
WARPLINGS_API int cuStreamSynchronize_ptsz(void* stream) {
  return cuStreamSynchronize(OwnIfDefault(stream));
}

WARPLINGS_API int cuStreamQuery(void* stream) {
  return Drive("cuStreamQuery", [&] { return cudaStreamQuery(stream); });
}
WARPLINGS_API int cuStreamQuery_ptsz(void* stream) {
  return cuStreamQuery(OwnIfDefault(stream));
}

WARPLINGS_API int cuStreamWaitEvent(void* stream, void* event, unsigned flags) {
  return Drive("cuStreamWaitEvent", [&] { return cudaStreamWaitEvent(stream, event, flags); });
}
WARPLINGS_API int cuStreamWaitEvent_ptsz(void* stream, void* event, unsigned flags) {
  return cuStreamWaitEvent(OwnIfDefault(stream), event, flags);
}

WARPLINGS_API int cuStreamGetFlags(void* stream, unsigned* flags) {
  return Drive("cuStreamGetFlags", [&] { return cudaStreamGetFlags(stream, flags); });
}
WARPLINGS_API int cuStreamGetFlags_ptsz(void* stream, unsigned* flags) {
  return cuStreamGetFlags(OwnIfDefault(stream), flags);
}

WARPLINGS_API int cuStreamGetPriority(void* stream, int* priority) {
  return Drive("cuStreamGetPriority", [&] { return cudaStreamGetPriority(stream, priority); });
}
WARPLINGS_API int cuStreamGetPriority_ptsz(void* stream, int* priority) {
  return cuStreamGetPriority(OwnIfDefault(stream), priority);
}

/// The functions may call nothing of CUDA, so that they find themselves within this call does not matter.
WARPLINGS_API int cuStreamAddCallback(void* stream, StreamCallback callback, void* data, unsigned flags) {
  return Drive("cuStreamAddCallback", [&] { return cudaStreamAddCallback(stream, callback, data, flags); });
}
WARPLINGS_API int cuStreamAddCallback_ptsz(void* stream, StreamCallback callback, void* data,
                                           unsigned flags) {
  return cuStreamAddCallback(OwnIfDefault(stream), callback, data, flags);
}

WARPLINGS_API int cuLaunchHostFunc(void* stream, HostFunction function, void* data) {
  return Drive("cuLaunchHostFunc", [&] { return cudaLaunchHostFunc(stream, function, data); });
}
WARPLINGS_API int cuLaunchHostFunc_ptsz(void* stream, HostFunction function, void* data) {
  return cuLaunchHostFunc(OwnIfDefault(stream), function, data);
}

// --- Events ----------------------------------------------------------------------------------------

WARPLINGS_API int cuEventCreate(void** event, unsigned flags) {
  return Drive("cuEventCreate", [&] {
    constexpr unsigned kAllFlags = 7;  // CU_EVENT_BLOCKING_SYNC, _DISABLE_TIMING, _INTERPROCESS
    if (flags > kAllFlags) return kInvalidStatus;
    return OwnMade(cudaEventCreateWithFlags(event, flags), event, cudaEventDestroy);
  });
}

WARPLINGS_API int cuEventDestroy_v2(void* event) {
  return Drive("cuEventDestroy", [&] { return cudaEventDestroy(event); });
}

WARPLINGS_API int cuEventRecord(void* event, void* stream) {
  return Drive("cuEventRecord", [&] { return cudaEventRecord(event, stream); });
}
WARPLINGS_API int cuEventRecord_ptsz(void* event, void* stream) {
  return cuEventRecord(event, OwnIfDefault(stream));
}

WARPLINGS_API int cuEventRecordWithFlags(void* event, void* stream, unsigned flags) {
  return Drive("cuEventRecord", [&] { return cudaEventRecordWithFlags(event, stream, flags); });
}
WARPLINGS_API int cuEventRecordWithFlags_ptsz(void* event, void* stream, unsigned flags) {
  return cuEventRecordWithFlags(event, OwnIfDefault(stream), flags);
}

WARPLINGS_API int cuEventQuery(void* event) {
  return Drive("cuEventQuery", [&] { return cudaEventQuery(event); });
}

WARPLINGS_API int cuEventSynchronize(void* event) {
  return Drive("cuEventSynchronize", [&] { return cudaEventSynchronize(event); });
}

WARPLINGS_API int cuEventElapsedTime_v2(float* milliseconds, void* start, void* stop) {
  return Drive("cuEventElapsedTime", [&] { return cudaEventElapsedTime(milliseconds, start, stop); });
}
WARPLINGS_API int cuEventElapsedTime(float* milliseconds, void* start, void* stop) {
  return cuEventElapsedTime_v2(milliseconds, start, stop);
}
