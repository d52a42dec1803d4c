// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "grader/core/result.h"
#include "grader/device/device.h"

namespace warplings {

struct VirtualGpuOptions {
  /// What all allocations together may hold; 0: half of this machine's memory, or the profile's where
  /// that is less.
  std::uint64_t memory_limit_bytes = 0;
  /// Host threads that blocks are spread over; 0: as many as this machine has. Results, findings and counts
  /// do not depend on it.
  unsigned host_threads = 0;
};

/// A Device that interprets PTX on the CPU. It stands in for the card that `profile` describes.
Result<std::unique_ptr<Device>> MakeVirtualGpu(const DeviceProfile& profile,
                                               const VirtualGpuOptions& options);

}  // namespace warplings
