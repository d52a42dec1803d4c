// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "grader/base/result.h"
#include "grader/device/device.h"

namespace warplings {

struct VirtualGpuOptions {
  /// What the allocations of all cards together may hold, each card an equal part, or the profile's where
  /// that is less; 0: half of this machine's memory.
  std::uint64_t memory_bytes = 0;
  /// Host threads that blocks are spread over; 0: as many as this machine has. Results, findings and counts
  /// do not depend on it.
  unsigned host_threads = 0;
  /// False: all accesses go the general way, slowly and with the same outcome; for tests.
  bool recognise_patterns = true;
};

/// Ends the kernel that is running, if any, and all that are launched before findings are next taken; each is
/// a warning. May be called in a signal handler.
void InterruptKernels();

/// Cards in one machine, by ordinal: Devices that interpret PTX on the CPU, each standing in for the card
/// that its profile describes. They share one address space, and are to be used by one thread.
Result<std::vector<std::unique_ptr<Device>>> MakeVirtualGpus(std::span<const DeviceProfile* const> profiles,
                                                             const VirtualGpuOptions& options);

/// One alone.
Result<std::unique_ptr<Device>> MakeVirtualGpu(const DeviceProfile& profile,
                                               const VirtualGpuOptions& options);

}  // namespace warplings
