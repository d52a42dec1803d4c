// SPDX-License-Identifier: Apache-2.0
#include <sys/mman.h>

#include <algorithm>
#include <cstring>

#include "grader/runtime/capture.h"
#include "grader/runtime/cuda_abi.h"
#include "grader/runtime/graph_memory.h"
#include "grader/runtime/memory_pools.h"
#include "grader/runtime/registered_memory.h"
#include "grader/runtime/runtime.h"

namespace warplings::runtime {
namespace {

/// Row alignment of current devices (cudaDeviceProp::textureAlignment).
constexpr std::size_t kPitchAlignment = 512;

const Refused kNullAddress{CudaError::kInvalidValue, protocol::Refusal::kNullPointer};

Outcome AllocateDevice(Runtime& runtime, void** pointer, std::size_t bytes) {
  if (auto refused = RefuseDuringCapture(runtime)) return *refused;
  if (pointer == nullptr) return kNullAddress;
  *pointer = nullptr;
  if (bytes == 0) return {};  // The real runtime hands out a null pointer.
  auto allocation = runtime.device().Allocate(bytes, AllocationKind::kDevice);
  if (!allocation) return allocation.error();
  *pointer = reinterpret_cast<void*>(allocation->address);
  return {};
}

/// Managed and pinned memory: maps what the device shares, at the device's address.
Outcome AllocateShared(Runtime& runtime, void** pointer, std::size_t bytes, AllocationKind kind) {
  if (auto refused = RefuseDuringCapture(runtime)) return *refused;
  if (pointer == nullptr) return kNullAddress;
  *pointer = nullptr;
  if (bytes == 0) return {};
  auto allocation = runtime.device().Allocate(bytes, kind);
  if (!allocation) return allocation.error();
  CudaError mapped = runtime.Map(allocation->address, allocation->mapped_bytes, allocation->shared_fd, kind);
  if (mapped != CudaError::kSuccess) {
    (void)runtime.device().Free(allocation->address);
    return mapped;
  }
  *pointer = reinterpret_cast<void*>(allocation->address);
  return {};
}

Outcome FreeMemory(Runtime& runtime, void* pointer, bool pinned) {
  if (pointer == nullptr) return {};
  if (auto refused = RefuseDuringCapture(runtime)) return *refused;
  auto mapping = runtime.mappings.find(ToDevice(pointer));
  bool is_pinned = mapping != runtime.mappings.end() && mapping->second.kind == AllocationKind::kPinned;
  if (is_pinned != pinned) return Refused{CudaError::kInvalidValue, protocol::Refusal::kWrongFree};
  if (auto freed_there = FreeOfGraphNow(runtime, pointer)) return *freed_there;
  CudaStatus freed = runtime.device().Free(ToDevice(pointer));
  if (freed) NoteFreed(ToDevice(pointer));
  if (freed) runtime.owned.erase(pointer);
  // Whatever it returns: an error is that of earlier work, and the device has freed the memory.
  if (mapping != runtime.mappings.end()) {
    munmap(pointer, mapping->second.mapped_bytes);
    runtime.mappings.erase(mapping);
  }
  return freed;
}

/// Advice and prefetches change where managed memory lies, which shows in time only. They take managed
/// memory alone.
Outcome AcceptAdvice(Runtime& runtime, const void* pointer, std::size_t bytes) {
  auto after = runtime.mappings.upper_bound(ToDevice(pointer));
  if (after == runtime.mappings.begin()) return CudaError::kInvalidValue;
  const auto& [start, mapping] = *std::prev(after);
  std::uint64_t offset = ToDevice(pointer) - start;
  bool inside = offset <= mapping.mapped_bytes && bytes <= mapping.mapped_bytes - offset;
  return inside && mapping.kind == AllocationKind::kManaged ? CudaError::kSuccess : CudaError::kInvalidValue;
}

int Advise(const char* call, const void* pointer, std::size_t bytes) {
  return Forward(call, [&](Runtime& runtime) { return AcceptAdvice(runtime, pointer, bytes); });
}

}  // namespace
}  // namespace warplings::runtime

using namespace warplings;
using namespace warplings::runtime;

// --- Device memory ---------------------------------------------------------------------------------

WARPLINGS_API int cudaMalloc(void** pointer, std::size_t bytes) {
  return Forward("cudaMalloc", [&](Runtime& runtime) { return AllocateDevice(runtime, pointer, bytes); });
}

WARPLINGS_API int cudaMallocPitch(void** pointer, std::size_t* pitch, std::size_t width_bytes,
                                  std::size_t height) {
  return Forward("cudaMallocPitch", [&](Runtime& runtime) -> Outcome {
    if (pointer == nullptr || pitch == nullptr) return kNullAddress;
    std::size_t row = (width_bytes + kPitchAlignment - 1) / kPitchAlignment * kPitchAlignment;
    if (row < width_bytes || (row != 0 && height > SIZE_MAX / row)) return CudaError::kMemoryAllocation;
    *pitch = row;
    return AllocateDevice(runtime, pointer, row * height);
  });
}

WARPLINGS_API int cudaMalloc3D(PitchedPointer* pitched, Extent extent) {
  if (pitched == nullptr) return Finish(CudaError::kInvalidValue);
  if (extent.depth != 0 && extent.height > SIZE_MAX / extent.depth)
    return Finish(CudaError::kMemoryAllocation);
  *pitched = {nullptr, 0, extent.width_bytes, extent.height};
  return cudaMallocPitch(&pitched->pointer, &pitched->pitch, extent.width_bytes,
                         extent.height * extent.depth);
}

WARPLINGS_API int cudaFree(void* pointer) {
  return Forward(
      "cudaFree", [&](Runtime& runtime) { return FreeMemory(runtime, pointer, false); }, Waits{});
}

WARPLINGS_API int cudaMemGetInfo(std::size_t* free_bytes, std::size_t* total_bytes) {
  return Forward("cudaMemGetInfo", [&](Runtime& runtime) -> Outcome {
    MemoryInfo info = runtime.device().GetMemoryInfo();
    if (free_bytes != nullptr) *free_bytes = info.free_bytes;
    if (total_bytes != nullptr) *total_bytes = info.total_bytes;
    return {};
  });
}

// --- Memory of host and device ---------------------------------------------------------------------

WARPLINGS_API int cudaMallocManaged(void** pointer, std::size_t bytes, unsigned) {
  return Forward("cudaMallocManaged", [&](Runtime& runtime) {
    return AllocateShared(runtime, pointer, bytes, AllocationKind::kManaged);
  });
}

WARPLINGS_API int cudaHostAlloc(void** pointer, std::size_t bytes, unsigned) {
  return Forward("cudaHostAlloc", [&](Runtime& runtime) {
    return AllocateShared(runtime, pointer, bytes, AllocationKind::kPinned);
  });
}

WARPLINGS_API int cudaMallocHost(void** pointer, std::size_t bytes) {
  return cudaHostAlloc(pointer, bytes, 0);
}

WARPLINGS_API int cudaFreeHost(void* pointer) {
  return Forward(
      "cudaFreeHost", [&](Runtime& runtime) { return FreeMemory(runtime, pointer, true); }, Waits{});
}

WARPLINGS_API int cudaHostGetDevicePointer(void** device_pointer, void* host_pointer, unsigned) {
  return Forward("cudaHostGetDevicePointer", [&](Runtime& runtime) -> Outcome {
    if (device_pointer == nullptr) return kNullAddress;
    *device_pointer = nullptr;
    if (IsRegistered(runtime, host_pointer, 1)) {
      const RegisteredPlace place = FindRegistered(host_pointer);
      // A kernel needs the rest of the range in one piece.
      if (!IsRegistered(runtime, host_pointer, place.bytes + 1)) {
        *device_pointer = reinterpret_cast<void*>(place.address);
        return {};
      }
      return Refused{CudaError::kNotSupported, protocol::Refusal::kUnsupportedCall};
    }
    bool mapped = IsMapped(runtime, host_pointer);
    if (mapped) *device_pointer = host_pointer;
    return mapped ? CudaError::kSuccess : CudaError::kInvalidValue;
  });
}

WARPLINGS_API int cudaHostGetFlags(unsigned* flags, void* host_pointer) {
  constexpr unsigned kMapped = 2;  // cudaHostAllocMapped
  return Forward("cudaHostGetFlags", [&](Runtime& runtime) -> Outcome {
    const bool is_pinned = IsMapped(runtime, host_pointer) || IsRegistered(runtime, host_pointer, 1);
    if (flags == nullptr || !is_pinned) return CudaError::kInvalidValue;
    *flags = kMapped;
    return {};
  });
}

WARPLINGS_API int cudaHostRegister(void* pointer, std::size_t bytes, unsigned) {
  return Forward("cudaHostRegister",
                 [&](Runtime& runtime) { return RegisterHostMemory(runtime, pointer, bytes); });
}

WARPLINGS_API int cudaHostUnregister(void* pointer) {
  return Forward(
      "cudaHostUnregister", [&](Runtime& runtime) { return UnregisterHostMemory(runtime, pointer); },
      Waits{});
}

WARPLINGS_API int cudaPointerGetAttributes(PointerAttributes* attributes, const void* pointer) {
  return Forward("cudaPointerGetAttributes", [&](Runtime& runtime) -> Outcome {
    if (attributes == nullptr) return kNullAddress;
    constexpr int kNoDeviceNumber = -2;
    void* address = const_cast<void*>(pointer);
    *attributes = {kUnregistered, kNoDeviceNumber, nullptr, address};
    if (IsRegistered(runtime, pointer, 1)) {
      const RegisteredPlace place = FindRegistered(pointer);
      *attributes = {kHostMemory, static_cast<int>(place.device), reinterpret_cast<void*>(place.address),
                     address};
      return {};
    }
    if (!IsDeviceAddress(pointer)) return {};
    auto info = runtime.device().GetPointerInfo(ToDevice(pointer));
    if (!info || IsAbsentGraphMemory(runtime, pointer))
      return {};  // Unregistered: an answer since CUDA 11, no error.
    const bool shared = IsShared(info->kind);
    MemoryType type = !shared                                  ? kDeviceMemory
                      : info->kind == AllocationKind::kManaged ? kManagedMemory
                                                               : kHostMemory;
    *attributes = {type, static_cast<int>(info->device), address, shared ? address : nullptr};
    return {};
  });
}

// --- Advice: signatures differ between CUDA 12 and 13. ----------------------------------------------

#if WARPLINGS_CUDA_MAJOR >= 13
WARPLINGS_API int cudaMemPrefetchAsync(const void* pointer, std::size_t bytes, MemoryLocation, unsigned,
                                       void*) {
  return Advise("cudaMemPrefetchAsync", pointer, bytes);
}
WARPLINGS_API int cudaMemPrefetchAsync_ptsz(const void* pointer, std::size_t bytes, MemoryLocation, unsigned,
                                            void*) {
  return Advise("cudaMemPrefetchAsync", pointer, bytes);
}
WARPLINGS_API int cudaMemAdvise(const void* pointer, std::size_t bytes, int, MemoryLocation) {
  return Advise("cudaMemAdvise", pointer, bytes);
}
#else
WARPLINGS_API int cudaMemPrefetchAsync(const void* pointer, std::size_t bytes, int, void*) {
  return Advise("cudaMemPrefetchAsync", pointer, bytes);
}
WARPLINGS_API int cudaMemPrefetchAsync_ptsz(const void* pointer, std::size_t bytes, int, void*) {
  return Advise("cudaMemPrefetchAsync", pointer, bytes);
}
WARPLINGS_API int cudaMemAdvise(const void* pointer, std::size_t bytes, int, int) {
  return Advise("cudaMemAdvise", pointer, bytes);
}
WARPLINGS_API int cudaMemPrefetchAsync_v2(const void* pointer, std::size_t bytes, MemoryLocation, unsigned,
                                          void*) {
  return Advise("cudaMemPrefetchAsync", pointer, bytes);
}
WARPLINGS_API int cudaMemPrefetchAsync_v2_ptsz(const void* pointer, std::size_t bytes, MemoryLocation,
                                               unsigned, void*) {
  return Advise("cudaMemPrefetchAsync", pointer, bytes);
}
WARPLINGS_API int cudaMemAdvise_v2(const void* pointer, std::size_t bytes, int, MemoryLocation) {
  return Advise("cudaMemAdvise", pointer, bytes);
}
#endif
