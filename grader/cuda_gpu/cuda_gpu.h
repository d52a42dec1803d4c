// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "grader/base/result.h"
#include "grader/device/model/local_device.h"

namespace warplings {

/// A device that is a real card, driven through the driver API.
///
/// It reports only what a card can tell: launches have no counts, and findings are what the driver reports
/// afterwards (an illegal address, a trap), without line or thread. Copies and launches run in one stream of
/// the card, in an order that CUDA's rules allow. Work in non-blocking streams is delayed until somebody
/// waits for it, as on the virtual GPU, so that a missing synchronisation becomes visible here, too.
///
/// After an error that corrupts the context, every call fails. The process must then be ended and started
/// anew; this is also the only way to stop a kernel that never ends.
///
/// An error if there is no driver or no such card.
Result<std::unique_ptr<LocalDevice>> MakeCudaGpu(int ordinal);

/// The properties of a card, without using it; returns the same errors.
Result<DeviceProfile> DescribeCard(int ordinal);

/// Its PCI bus id, "0000:1B:00.0"; "gpu:ORDINAL" if the driver does not know it.
std::string PlaceOfCard(int ordinal);

}  // namespace warplings
