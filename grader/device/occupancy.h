// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "grader/device/device_profile.h"

namespace warplings {

/// What one launch asks of a multiprocessor.
struct BlockShape {
  std::uint32_t threads = 0;               ///< Per block.
  std::uint32_t registers = 0;             ///< Per thread; 0 where unknown: registers then limit nothing.
  std::uint32_t static_shared_bytes = 0;   ///< Per block.
  std::uint32_t dynamic_shared_bytes = 0;  ///< Per block.
};

/// What keeps more blocks from being resident: bits, several where they reach the limit together. The values
/// are those of cudaOccLimitingFactor.
enum OccupancyLimit : std::uint32_t {
  kLimitThreads = 1,  ///< Warps of the multiprocessor, or threads of a block.
  kLimitRegisters = 2,
  kLimitSharedMemory = 4,
  kLimitBlocks = 8,
};

struct Residency {
  std::uint32_t blocks = 0;  ///< On one multiprocessor at a time; 0 where not even one fits.
  std::uint32_t limits = 0;  ///< OccupancyLimit bits; none where the shape is no block at all.
};

/// By NVIDIA's cuda_occupancy.h.
Residency ResidencyOn(const DeviceProfile& profile, const BlockShape& shape);

/// In which portions a multiprocessor gives out its resources; by cuda_occupancy.h.
struct AllocationUnits {
  std::uint32_t registers_per_warp = 0;    ///< A warp's registers are rounded up to a multiple of this.
  std::uint32_t register_partitions = 0;   ///< The registers lie in so many equal parts, a warp's in one.
  std::uint32_t registers_per_thread = 0;  ///< At most.
  std::uint32_t shared_bytes = 0;  ///< A block's shared memory, with what is reserved, to one of this.
};
AllocationUnits AllocationUnitsOf(const DeviceProfile& profile);

/// Blocks of this shape that are resident on one multiprocessor at a time, by NVIDIA's cuda_occupancy.h;
/// 0 where not even one fits.
std::uint32_t BlocksPerMultiprocessor(const DeviceProfile& profile, const BlockShape& shape);

/// Resident warps over the most there can be, 0 to 1.
double Occupancy(const DeviceProfile& profile, const BlockShape& shape);

}  // namespace warplings
