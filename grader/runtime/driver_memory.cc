// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <type_traits>

#include "grader/runtime/driver.h"
#include "grader/runtime/runtime_calls.h"
#include "grader/runtime/work.h"

namespace warplings::runtime {
namespace {

using DriverPointer = unsigned long long;  // CUdeviceptr

void* AsPointer(DriverPointer address) {
  return reinterpret_cast<void*>(address);
}

/// Unlike the runtime, the driver refuses to allocate 0 bytes. (Not so cuMemAllocHost. Seen on an H200.)
template <class Allocate>
int AllocateMemory(const char* call, void** pointer, std::size_t bytes, int (*free)(void*),
                   Allocate&& allocate) {
  return Drive(call, [&] {
    if (pointer != nullptr && bytes == 0) return kInvalidStatus;
    return OwnMade(allocate(), pointer, free);
  });
}

int CopyMemory(const char* call, void* target, const void* source, std::size_t bytes, CopyKind kind) {
  return Drive(call, [&] { return cudaMemcpy(target, source, bytes, kind); });
}
int CopyInStream(const char* call, void* target, const void* source, std::size_t bytes, CopyKind kind,
                 void* stream) {
  return Drive(call, [&] { return cudaMemcpyAsync(target, source, bytes, kind, stream); });
}
/// A call without a stream returns when its work on the thread's own stream is done.
int CopyInOwnStream(const char* call, void* target, const void* source, std::size_t bytes, CopyKind kind) {
  return Drive(call, [&] {
    const int status = cudaMemcpyAsync(target, source, bytes, kind, kPerThreadStream);
    return status != 0 ? status : cudaStreamSynchronize(kPerThreadStream);
  });
}

DriverSide3D In3D(const DriverSide2D& side) {
  return {.x_bytes = side.x_bytes,
          .y = side.y,
          .z = 0,
          .level = 0,
          .type = side.type,
          .host = side.host,
          .device = side.device,
          .array = side.array,
          .reserved = nullptr,
          .pitch = side.pitch,
          .height = 0};
}
DriverCopy3D In3D(const DriverCopy2D& copy) {
  return {In3D(copy.source), In3D(copy.target), copy.width_bytes, copy.height, 1};
}

/// The memory of one side, for the runtime. An H200 takes a pitch or a height of 0 for one that just fits.
Outcome PlaceSide(const DriverSide3D& side, const DriverCopy3D& copy, PitchedPointer& memory,
                  Extent& position, bool& is_device) {
  if (side.type == kDriverArray)
    return Refused{CudaError::kNotSupported, protocol::Refusal::kUnsupportedCall};
  if (side.type < kDriverHost || side.type > kDriverUnified) return CudaError::kInvalidValue;
  void* pointer = side.type == kDriverHost ? side.host : AsPointer(side.device);
  memory = {pointer, side.pitch != 0 ? side.pitch : side.x_bytes + copy.width_bytes, copy.width_bytes,
            side.height != 0 ? side.height : side.y + copy.height};
  position = {side.x_bytes, side.y, side.z};
  is_device = side.type == kDriverDevice || (side.type == kDriverUnified && IsDeviceAddress(pointer));
  return {};
}

Outcome ToRuntimesCopy(const DriverCopy3D& copy, CopyWork& work) {
  Copy3D placed{};
  bool from_device = false, to_device = false;
  Outcome outcome = PlaceSide(copy.source, copy, placed.source, placed.source_position, from_device);
  if (outcome.ok()) outcome = PlaceSide(copy.target, copy, placed.target, placed.target_position, to_device);
  if (!outcome.ok()) return outcome;
  placed.extent = {copy.width_bytes, copy.height, copy.depth};
  placed.kind =
      from_device ? (to_device ? kDeviceToDevice : kDeviceToHost) : (to_device ? kHostToDevice : kHostToHost);
  return ToCopyWork(&placed, work);
}

enum class CopyEnd { kWaits, kInStream };
/// A copy of rows, given as the driver's structs for two or three dimensions.
template <class Copy>
int CopyRows(const char* call, const Copy* copy, void* stream, CopyEnd end) {
  return Drive(call, [&] {
    CopyWork work;
    Outcome placed = Refused{CudaError::kInvalidValue, protocol::Refusal::kNullPointer};
    if constexpr (std::is_same_v<Copy, DriverCopy2D>) {
      if (copy != nullptr) placed = ToRuntimesCopy(In3D(*copy), work);
    } else {
      if (copy != nullptr) placed = ToRuntimesCopy(*copy, work);
    }
    const int status = CopyPlaced(call, placed, work, stream, end == CopyEnd::kWaits);
    const bool waits = end == CopyEnd::kWaits && stream == kPerThreadStream;
    return status != 0 || !waits ? status : cudaStreamSynchronize(stream);
  });
}

/// Fills `height` rows of `width` elements.
int FillElements(const char* call, DriverPointer target, std::size_t pitch, unsigned value,
                 unsigned element_bytes, std::size_t width, std::size_t height, void* stream) {
  return Drive(call, [&] {
    const bool is_misaligned = target % element_bytes != 0 || (height > 1 && pitch % element_bytes != 0);
    const bool overflows = width > SIZE_MAX / element_bytes;
    if (is_misaligned || overflows) {
      return WithRuntime([&](Runtime&) -> Outcome {
        return Refused{CudaError::kInvalidValue,
                       overflows ? protocol::Refusal::kRange : protocol::Refusal::kMisaligned};
      });
    }
    const std::size_t row = width * element_bytes;
    return FillPlaced(call,
                      {.target = AsPointer(target),
                       .pitch = height > 1 ? pitch : row,
                       .value = value,
                       .element_bytes = element_bytes,
                       .width_bytes = row,
                       .height = height},
                      stream);
  });
}

int FillRowOf(const char* call, DriverPointer target, unsigned value, unsigned element_bytes,
              std::size_t count, void* stream) {
  return FillElements(call, target, 0, value, element_bytes, count, 1, stream);
}

}  // namespace
}  // namespace warplings::runtime

using namespace warplings;
using namespace warplings::runtime;

// --- Allocation ------------------------------------------------------------------------------------

WARPLINGS_API int cuMemAlloc_v2(void** pointer, std::size_t bytes) {
  return AllocateMemory("cuMemAlloc", pointer, bytes, cudaFree, [&] { return cudaMalloc(pointer, bytes); });
}

WARPLINGS_API int cuMemAllocPitch_v2(void** pointer, std::size_t* pitch, std::size_t width_bytes,
                                     std::size_t height, unsigned element_bytes) {
  const bool is_element = element_bytes == 4 || element_bytes == 8 || element_bytes == 16;
  return AllocateMemory("cuMemAllocPitch", pointer, is_element ? width_bytes : 0, cudaFree,
                        [&] { return cudaMallocPitch(pointer, pitch, width_bytes, height); });
}

WARPLINGS_API int cuMemAllocManaged(void** pointer, std::size_t bytes, unsigned flags) {
  constexpr unsigned kGlobal = 1, kHost = 2;  // CU_MEM_ATTACH_GLOBAL, CU_MEM_ATTACH_HOST
  const bool is_known = flags == kGlobal || flags == kHost;
  return AllocateMemory("cuMemAllocManaged", pointer, is_known ? bytes : 0, cudaFree,
                        [&] { return cudaMallocManaged(pointer, bytes, flags); });
}

WARPLINGS_API int cuMemHostAlloc(void** pointer, std::size_t bytes, unsigned flags) {
  constexpr unsigned kAllFlags = 7;  // CU_MEMHOSTALLOC_PORTABLE, _DEVICEMAP, _WRITECOMBINED
  return AllocateMemory("cuMemHostAlloc", pointer, flags <= kAllFlags ? bytes : 0, cudaFreeHost,
                        [&] { return cudaHostAlloc(pointer, bytes, flags); });
}
WARPLINGS_API int cuMemAllocHost_v2(void** pointer, std::size_t bytes) {
  return Drive("cuMemAllocHost",
               [&] { return OwnMade(cudaHostAlloc(pointer, bytes, 0), pointer, cudaFreeHost); });
}

WARPLINGS_API int cuMemFree_v2(DriverPointer pointer) {
  return Drive<Needs::kInit>("cuMemFree", [&] { return cudaFree(AsPointer(pointer)); });
}
WARPLINGS_API int cuMemFreeHost(void* pointer) {
  return Drive<Needs::kInit>("cuMemFreeHost", [&] { return cudaFreeHost(pointer); });
}

WARPLINGS_API int cuMemAllocAsync(void** pointer, std::size_t bytes, void* stream) {
  return AllocateMemory("cuMemAllocAsync", pointer, bytes, cudaFree,
                        [&] { return cudaMallocAsync(pointer, bytes, stream); });
}
WARPLINGS_API int cuMemAllocAsync_ptsz(void** pointer, std::size_t bytes, void* stream) {
  return cuMemAllocAsync(pointer, bytes, OwnIfDefault(stream));
}
WARPLINGS_API int cuMemFreeAsync(DriverPointer pointer, void* stream) {
  return Drive("cuMemFreeAsync", [&] { return cudaFreeAsync(AsPointer(pointer), stream); });
}
WARPLINGS_API int cuMemFreeAsync_ptsz(DriverPointer pointer, void* stream) {
  return cuMemFreeAsync(pointer, OwnIfDefault(stream));
}

// --- About memory ----------------------------------------------------------------------------------

WARPLINGS_API int cuMemGetInfo_v2(std::size_t* free_bytes, std::size_t* total_bytes) {
  return Drive("cuMemGetInfo", [&] { return cudaMemGetInfo(free_bytes, total_bytes); });
}

WARPLINGS_API int cuMemGetAddressRange_v2(DriverPointer* start, std::size_t* bytes, DriverPointer pointer) {
  return Drive("cuMemGetAddressRange", [&] {
    return WithRuntime([&](Runtime& runtime) -> Outcome {
      const auto info = runtime.device().GetPointerInfo(pointer);
      if (!info) return CudaError::kSymbolNotFound;  // CUDA_ERROR_NOT_FOUND
      if (start != nullptr) *start = info->start;
      if (bytes != nullptr) *bytes = info->bytes;
      return {};
    });
  });
}

WARPLINGS_API int cuMemHostGetDevicePointer_v2(void** device_pointer, void* host_pointer, unsigned flags) {
  return Drive("cuMemHostGetDevicePointer",
               [&] { return cudaHostGetDevicePointer(device_pointer, host_pointer, flags); });
}
WARPLINGS_API int cuMemHostGetFlags(unsigned* flags, void* host_pointer) {
  return Drive("cuMemHostGetFlags", [&] { return cudaHostGetFlags(flags, host_pointer); });
}
WARPLINGS_API int cuMemHostRegister_v2(void* pointer, std::size_t bytes, unsigned flags) {
  return Drive("cuMemHostRegister", [&] { return cudaHostRegister(pointer, bytes, flags); });
}
WARPLINGS_API int cuMemHostUnregister(void* pointer) {
  return Drive("cuMemHostUnregister", [&] { return cudaHostUnregister(pointer); });
}

// --- Copies ----------------------------------------------------------------------------------------
// Each as it is, in the thread's own stream (compiled with --default-stream per-thread), and with a stream.

#define WARPLINGS_COPY(name, version, Target, Source, kind)                                               \
  WARPLINGS_API int name##version(Target target, Source source, std::size_t bytes) {                      \
    return CopyMemory(#name, (void*)target, (const void*)source, bytes, kind);                            \
  }                                                                                                       \
  WARPLINGS_API int name##version##_ptds(Target target, Source source, std::size_t bytes) {               \
    return CopyInOwnStream(#name, (void*)target, (const void*)source, bytes, kind);                       \
  }                                                                                                       \
  WARPLINGS_API int name##Async##version(Target target, Source source, std::size_t bytes, void* stream) { \
    return CopyInStream(#name "Async", (void*)target, (const void*)source, bytes, kind, stream);          \
  }                                                                                                       \
  WARPLINGS_API int name##Async##version##_ptsz(Target target, Source source, std::size_t bytes,          \
                                                void* stream) {                                           \
    return name##Async##version(target, source, bytes, OwnIfDefault(stream));                             \
  }
WARPLINGS_COPY(cuMemcpyHtoD, _v2, DriverPointer, const void*, kHostToDevice)
WARPLINGS_COPY(cuMemcpyDtoH, _v2, void*, DriverPointer, kDeviceToHost)
WARPLINGS_COPY(cuMemcpyDtoD, _v2, DriverPointer, DriverPointer, kDeviceToDevice)
WARPLINGS_COPY(cuMemcpy, , DriverPointer, DriverPointer, kDefaultKind)
#undef WARPLINGS_COPY

#define WARPLINGS_COPY_ROWS(name, Copy)                              \
  WARPLINGS_API int name##_v2(const Copy* copy) {                    \
    return CopyRows(#name, copy, nullptr, CopyEnd::kWaits);          \
  }                                                                  \
  WARPLINGS_API int name##_v2_ptds(const Copy* copy) {               \
    return CopyRows(#name, copy, kPerThreadStream, CopyEnd::kWaits); \
  }
#define WARPLINGS_COPY_ROWS_ASYNC(name, Copy)                        \
  WARPLINGS_API int name##_v2(const Copy* copy, void* stream) {      \
    return CopyRows(#name, copy, stream, CopyEnd::kInStream);        \
  }                                                                  \
  WARPLINGS_API int name##_v2_ptsz(const Copy* copy, void* stream) { \
    return name##_v2(copy, OwnIfDefault(stream));                    \
  }
WARPLINGS_COPY_ROWS(cuMemcpy2D, DriverCopy2D)
WARPLINGS_COPY_ROWS(cuMemcpy2DUnaligned, DriverCopy2D)
WARPLINGS_COPY_ROWS(cuMemcpy3D, DriverCopy3D)
WARPLINGS_COPY_ROWS_ASYNC(cuMemcpy2DAsync, DriverCopy2D)
WARPLINGS_COPY_ROWS_ASYNC(cuMemcpy3DAsync, DriverCopy3D)
#undef WARPLINGS_COPY_ROWS
#undef WARPLINGS_COPY_ROWS_ASYNC

// --- Fills -----------------------------------------------------------------------------------------

#define WARPLINGS_FILL(bits, Value)                                                                        \
  WARPLINGS_API int cuMemsetD##bits##_v2(DriverPointer target, Value value, std::size_t count) {           \
    return FillRowOf("cuMemsetD" #bits, target, value, sizeof(Value), count, nullptr);                     \
  }                                                                                                        \
  WARPLINGS_API int cuMemsetD##bits##_v2_ptds(DriverPointer target, Value value, std::size_t count) {      \
    return FillRowOf("cuMemsetD" #bits, target, value, sizeof(Value), count, kPerThreadStream);            \
  }                                                                                                        \
  WARPLINGS_API int cuMemsetD##bits##Async(DriverPointer target, Value value, std::size_t count,           \
                                           void* stream) {                                                 \
    return FillRowOf("cuMemsetD" #bits "Async", target, value, sizeof(Value), count, stream);              \
  }                                                                                                        \
  WARPLINGS_API int cuMemsetD##bits##Async_ptsz(DriverPointer target, Value value, std::size_t count,      \
                                                void* stream) {                                            \
    return cuMemsetD##bits##Async(target, value, count, OwnIfDefault(stream));                             \
  }                                                                                                        \
  WARPLINGS_API int cuMemsetD2D##bits##_v2(DriverPointer target, std::size_t pitch, Value value,           \
                                           std::size_t width, std::size_t height) {                        \
    return FillElements("cuMemsetD2D" #bits, target, pitch, value, sizeof(Value), width, height, nullptr); \
  }                                                                                                        \
  WARPLINGS_API int cuMemsetD2D##bits##Async(DriverPointer target, std::size_t pitch, Value value,         \
                                             std::size_t width, std::size_t height, void* stream) {        \
    return FillElements("cuMemsetD2D" #bits "Async", target, pitch, value, sizeof(Value), width, height,   \
                        stream);                                                                           \
  }                                                                                                        \
  WARPLINGS_API int cuMemsetD2D##bits##_v2_ptds(DriverPointer target, std::size_t pitch, Value value,      \
                                                std::size_t width, std::size_t height) {                   \
    return FillElements("cuMemsetD2D" #bits, target, pitch, value, sizeof(Value), width, height,           \
                        kPerThreadStream);                                                                 \
  }                                                                                                        \
  WARPLINGS_API int cuMemsetD2D##bits##Async_ptsz(DriverPointer target, std::size_t pitch, Value value,    \
                                                  std::size_t width, std::size_t height, void* stream) {   \
    return cuMemsetD2D##bits##Async(target, pitch, value, width, height, OwnIfDefault(stream));            \
  }
WARPLINGS_FILL(8, unsigned char)
WARPLINGS_FILL(16, unsigned short)
WARPLINGS_FILL(32, unsigned)
#undef WARPLINGS_FILL
