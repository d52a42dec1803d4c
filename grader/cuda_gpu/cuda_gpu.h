// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "grader/base/result.h"
#include "grader/device/device.h"

namespace warplings {

/// A Device that is a real card, driven through the driver API.
///
/// What a card cannot tell, this Device does not claim: launches have no counts, findings are what the driver
/// reports after the fact (an illegal address, a trap), without line or thread. Copies and launches are done
/// in one stream of the card, in an order that CUDA's rules allow; work of non-blocking streams waits until
/// somebody asks for it, as on the virtual GPU, so that a missing synchronisation shows here as well.
///
/// After an error that poisons the context every call fails. Whoever started the process ends it and starts
/// another; a kernel that never ends is ended the same way.
///
/// An error where there is no driver or no such card.
Result<std::unique_ptr<Device>> MakeCudaGpu(int ordinal);

/// What there is to say of a card without using it; the same errors.
Result<DeviceProfile> DescribeCard(int ordinal);

/// Its place on the bus, "0000:1B:00.0"; "gpu:ORDINAL" where the driver does not say.
std::string PlaceOfCard(int ordinal);

}  // namespace warplings
