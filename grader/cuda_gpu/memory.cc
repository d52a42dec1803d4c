// SPDX-License-Identifier: Apache-2.0
#include "grader/cuda_gpu/memory.h"

#include <utility>

#include "grader/device/model/memory_refusals.h"
#include "grader/messages/device.h"

namespace warplings::cuda_gpu {

CudaFault Memory::Fault(CUresult code, const std::string& what) const {
  return {RuntimeError(code), what + ": " + Describe(driver_, code)};
}

CudaResult<Allocation> Memory::Allocate(std::uint64_t bytes, AllocationKind kind) {
  if (IsShared(kind)) return AllocateShared(bytes);
  // The driver would have to make these; the virtual GPU reads them from its own memory.
  const bool is_plain = kind == AllocationKind::kDevice || kind == AllocationKind::kGraph;
  if (!is_plain) return CudaFault{CudaError::kNotSupported, say::textures_on_card()};
  CUdeviceptr address = 0;
  const CUresult code = driver_.cuMemAlloc(&address, bytes);
  if (code != CUDA_SUCCESS)
    return Fault(code, "asked for " + std::to_string(bytes) + " bytes of device memory");
  if (address < kFirstDeviceAddress || address + bytes > kEndOfDeviceAddresses) {
    driver_.cuMemFree(address);
    return CudaFault{CudaError::kMemoryAllocation, say::memory_in_the_way()};
  }
  pages_.emplace(address, std::nullopt);
  return Allocation{address, bytes, -1, 0};
}

CudaResult<Allocation> Memory::AllocateShared(std::uint64_t bytes) {
  auto shared = SharedHostMemory::Create(bytes);
  if (!shared) return CudaFault{CudaError::kMemoryAllocation, say::no_memory_to_share()};
  void* at = reinterpret_cast<void*>(shared->address());
  const CUresult code = driver_.cuMemHostRegister(at, shared->mapped_bytes(), CU_MEMHOSTREGISTER_DEVICEMAP);
  if (code != CUDA_SUCCESS) return Fault(code, "memory shared with the program");
  const Allocation allocation{shared->address(), bytes, shared->fd(), shared->mapped_bytes()};
  pages_.emplace(allocation.address, std::move(*shared));
  return allocation;
}

CudaStatus Memory::Free(DevicePointer address) {
  const auto entry = pages_.find(address);
  if (entry == pages_.end()) return NotAnAllocation();
  const CUresult code = entry->second ? driver_.cuMemHostUnregister(reinterpret_cast<void*>(address))
                                      : driver_.cuMemFree(address);
  pages_.erase(entry);
  if (code != CUDA_SUCCESS) return Fault(code, "freeing memory");
  return Unit{};
}

}  // namespace warplings::cuda_gpu
