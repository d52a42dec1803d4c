// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>

#include "grader/cuda_gpu/driver_api.h"
#include "grader/cuda_gpu/shared_host_memory.h"

namespace warplings::cuda_gpu {

/// The memory that is allocated on a card.
class Memory {
 public:
  explicit Memory(const DriverApi& driver) : driver_(driver) {}
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;

  CudaResult<Allocation> Allocate(std::uint64_t bytes, AllocationKind kind);
  CudaStatus Free(DevicePointer address);

 private:
  CudaResult<Allocation> AllocateShared(std::uint64_t bytes);
  CudaFault Fault(CUresult code, const std::string& what) const;

  const DriverApi& driver_;
  /// By address. With the host's part where host and card share it; without, the driver allocated it.
  std::map<DevicePointer, std::optional<SharedHostMemory>> pages_;
};

}  // namespace warplings::cuda_gpu
