// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "grader/device/device.h"

namespace warplings {

/// The properties of a kernel that limit its launches.
struct KernelLimits {
  std::uint32_t static_shared_bytes = 0;
  std::uint32_t promised_threads = 0;  ///< From __launch_bounds__; 0: none.
  std::uint32_t argument_bytes = 0;
  std::uint32_t registers = 0;           ///< Per thread; 0 if unknown.
  std::uint32_t max_dynamic_shared = 0;  ///< The limit set by cudaFuncSetAttribute; 0: not set.
};

/// Refuses a launch that the card would refuse, with the runtime's error code and a message that names the
/// limit. No other place decides that; what a backend refuses besides is that this machine has no memory
/// left.
CudaStatus CheckLaunch(const DeviceProfile& profile, const KernelLimits& kernel,
                       const LaunchRequest& request);

}  // namespace warplings
