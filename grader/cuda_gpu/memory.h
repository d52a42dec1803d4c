// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>

#include "grader/cuda_gpu/driver_api.h"
#include "grader/cuda_gpu/shared_host_memory.h"

namespace warplings::cuda_gpu {

/// The allocations on a card.
class Memory {
 public:
  explicit Memory(const DriverApi& driver) : driver_(driver) {}
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;

  CudaResult<Allocation> Allocate(ClientId client, std::uint64_t bytes, AllocationKind kind);
  CudaStatus Free(ClientId client, DevicePointer address);
  void DropClient(ClientId client);

 private:
  struct Region {
    ClientId client = 0;
    std::uint64_t bytes = 0;
    AllocationKind kind = AllocationKind::kDevice;
    std::optional<SharedHostMemory> shared;
  };
  using Regions = std::map<DevicePointer, Region>;

  CudaResult<Allocation> AllocateShared(Region region);
  CudaFault Fault(CUresult code, const std::string& what) const;
  CudaStatus Release(Regions::iterator entry);

  const DriverApi& driver_;
  Regions regions_;
};

}  // namespace warplings::cuda_gpu
