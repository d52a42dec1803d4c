// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "grader/cuda_gpu/driver_api.h"
#include "grader/device/device_profile.h"

namespace warplings::cuda_gpu {

/// Makes a DeviceProfile of a card from what the driver reports; `ordinal` is below the driver's count. An
/// error if there is no such card.
Result<DeviceProfile> ReadCard(const DriverApi& driver, int ordinal);

}  // namespace warplings::cuda_gpu
