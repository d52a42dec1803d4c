// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "grader/base/result.h"
#include "grader/device/launch_progress.h"
#include "grader/device/model/local_device.h"

namespace warplings {

struct VirtualGpuOptions {
  /// Limit in bytes on the allocations of all cards together. Each card gets an equal part, or its profile's
  /// memory size if that is smaller. 0: half of what this process may use (usable_memory.h).
  std::uint64_t memory_bytes = 0;
  /// Decides the addresses of all memory and what fresh memory holds, so that neither can be known
  /// beforehand; 0: the usual addresses, and zeros.
  std::uint64_t memory_seed = 0;
  /// Host threads over which blocks are spread; 0: as many as this machine has, for launches that take long
  /// enough. Results, findings and counts do not depend on it.
  unsigned host_threads = 0;
  /// False: no access uses the fast paths of AccessPattern; slower, with the same outcome. For tests.
  bool recognise_patterns = true;
  /// Limit on the pending work in each card's streams; for tests.
  PendingBudget pending{};
  /// Where the running launch says how far it is; null: nowhere. Must outlive the cards.
  LaunchProgress* progress = nullptr;
};

/// Stops the running kernel, if any, and all kernels that are launched before findings are next taken; each
/// gives a warning. May be called in a signal handler.
void InterruptKernels();

/// Creates the cards of one machine, by ordinal: devices that interpret PTX on the CPU, each simulating the
/// card that its profile describes. They share one address space. Use them from one thread only.
Result<std::vector<std::unique_ptr<LocalDevice>>> MakeVirtualGpus(
    std::span<const DeviceProfile* const> profiles, const VirtualGpuOptions& options);

/// A single card.
Result<std::unique_ptr<LocalDevice>> MakeVirtualGpu(const DeviceProfile& profile,
                                                    const VirtualGpuOptions& options);

}  // namespace warplings
