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

/// Blocks of this shape that are resident on one multiprocessor at a time, by NVIDIA's cuda_occupancy.h;
/// 0 where not even one fits.
std::uint32_t BlocksPerMultiprocessor(const DeviceProfile& profile, const BlockShape& shape);

/// Resident warps over the most there can be, 0 to 1.
double Occupancy(const DeviceProfile& profile, const BlockShape& shape);

}  // namespace warplings
