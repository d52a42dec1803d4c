// SPDX-License-Identifier: Apache-2.0
#include "grader/cuda_gpu/memory.h"

#include <algorithm>
#include <utility>

namespace warplings::cuda_gpu {

CudaFault Memory::Fault(CUresult code, const std::string& what) const {
  return {RuntimeError(code), what + ": " + Describe(driver_, code)};
}

CudaResult<Allocation> Memory::Allocate(ClientId client, std::uint64_t bytes, AllocationKind kind) {
  Region region;
  region.client = client;
  region.bytes = bytes;
  region.kind = kind;
  if (kind != AllocationKind::kDevice) return AllocateShared(std::move(region));
  CUdeviceptr address = 0;
  // The driver refuses 0 bytes; the runtime gives a pointer that nothing can be done with.
  const CUresult code = driver_.cuMemAlloc(&address, std::max<std::uint64_t>(bytes, 1));
  if (code != CUDA_SUCCESS)
    return Fault(code, "asked for " + std::to_string(bytes) + " bytes of device memory");
  if (address < kFirstDeviceAddress || address + bytes > kEndOfDeviceAddresses) {
    driver_.cuMemFree(address);
    return CudaFault{CudaError::kMemoryAllocation,
                     "the driver gave memory where programs have their own (address_window.h)"};
  }
  regions_.emplace(address, std::move(region));
  return Allocation{address, bytes, -1, 0};
}

CudaResult<Allocation> Memory::AllocateShared(Region region) {
  auto shared = SharedHostMemory::Create(region.bytes);
  if (!shared) return CudaFault{CudaError::kMemoryAllocation, "this machine has no memory left to share"};
  region.shared.emplace(std::move(*shared));
  void* at = reinterpret_cast<void*>(region.shared->address());
  const CUresult code =
      driver_.cuMemHostRegister(at, region.shared->mapped_bytes(), CU_MEMHOSTREGISTER_DEVICEMAP);
  if (code != CUDA_SUCCESS) return Fault(code, "memory shared with the program");
  const Allocation allocation{region.shared->address(), region.bytes, region.shared->fd(),
                              region.shared->mapped_bytes()};
  regions_.emplace(allocation.address, std::move(region));
  return allocation;
}

CudaStatus Memory::Release(Regions::iterator entry) {
  const CUresult code = entry->second.shared
                            ? driver_.cuMemHostUnregister(reinterpret_cast<void*>(entry->first))
                            : driver_.cuMemFree(entry->first);
  regions_.erase(entry);
  if (code != CUDA_SUCCESS) return Fault(code, "freeing memory");
  return Unit{};
}

CudaStatus Memory::Free(ClientId client, DevicePointer address) {
  const auto entry = regions_.find(address);
  if (entry == regions_.end() || entry->second.client != client) {
    return CudaFault{CudaError::kInvalidValue, "frees what is no allocation, or was freed before"};
  }
  return Release(entry);
}

void Memory::DropClient(ClientId client) {
  for (auto entry = regions_.begin(); entry != regions_.end();) {
    const auto each = entry++;
    // After an error that poisons the context nothing can be freed any more; the process goes with it.
    if (each->second.client == client) static_cast<void>(Release(each).ok());
  }
}

}  // namespace warplings::cuda_gpu
