// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "grader/device/device_profile.h"

namespace warplings {

/// The resources that one block of a launch needs on an SM.
struct BlockShape {
  std::uint32_t threads = 0;    ///< Per block.
  std::uint32_t registers = 0;  ///< Per thread; 0 if unknown, in which case registers are not a limit.
  std::uint32_t static_shared_bytes = 0;   ///< Per block.
  std::uint32_t dynamic_shared_bytes = 0;  ///< Per block.
};

/// Bits for the resources that limit the number of resident blocks; several if they reach the limit together.
/// The values are those of cudaOccLimitingFactor.
enum OccupancyLimit : std::uint32_t {
  kLimitThreads = 1,  ///< Warps per SM, or threads per block.
  kLimitRegisters = 2,
  kLimitSharedMemory = 4,
  kLimitBlocks = 8,
};

struct Residency {
  std::uint32_t blocks = 0;  ///< Resident blocks per SM; 0 if not even one fits.
  std::uint32_t limits = 0;  ///< OccupancyLimit bits; none if the shape is not a valid block.
};

/// By NVIDIA's cuda_occupancy.h.
Residency ResidencyOn(const DeviceProfile& profile, const BlockShape& shape);

/// The granularity with which an SM allocates its resources (cuda_occupancy.h).
struct AllocationUnits {
  std::uint32_t registers_per_warp = 0;  ///< A warp's registers are rounded up to a multiple of this.
  /// Number of equal partitions of the register file; the registers of a warp are in one of them.
  std::uint32_t register_partitions = 0;
  std::uint32_t registers_per_thread = 0;  ///< Maximum.
  /// A block's shared memory, including the reserved part, is rounded up to a multiple of this.
  std::uint32_t shared_bytes = 0;
};
AllocationUnits AllocationUnitsOf(const DeviceProfile& profile);

/// Resident blocks of this shape per SM, by NVIDIA's cuda_occupancy.h; 0 if not even one fits.
std::uint32_t BlocksPerMultiprocessor(const DeviceProfile& profile, const BlockShape& shape);

/// Resident warps divided by the maximum, 0 to 1.
double Occupancy(const DeviceProfile& profile, const BlockShape& shape);

}  // namespace warplings
