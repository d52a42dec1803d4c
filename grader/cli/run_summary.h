// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

#include "grader/core/launch_record.h"
#include "grader/device/calls.h"

namespace warplings {

/// What a program did on each of its devices: kernels with their estimated times, the longest first; copies;
/// memory. `uses` and `cards` are by ordinal.
std::string FormatRunSummary(std::span<const KernelProfile> kernels,
                             std::span<const protocol::DeviceUse> uses, std::span<const DeviceProfile> cards);

}  // namespace warplings
