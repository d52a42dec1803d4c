// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "grader/device/device.h"

namespace warplings {

/// What of a kernel limits its launches.
struct KernelLimits {
  std::uint32_t static_shared_bytes = 0;
  std::uint32_t promised_threads = 0;  ///< __launch_bounds__; 0: no promise.
  std::uint32_t argument_bytes = 0;
  std::uint32_t registers = 0;           ///< Per thread; 0 where unknown.
  std::uint32_t max_dynamic_shared = 0;  ///< What cudaFuncSetAttribute has raised the limit to; 0: nothing.
};

/// Refuses a launch that the card would refuse, with the number that the runtime returns and words that
/// name the limit.
CudaStatus CheckLaunch(const DeviceProfile& profile, const KernelLimits& kernel,
                       const LaunchRequest& request);

}  // namespace warplings
