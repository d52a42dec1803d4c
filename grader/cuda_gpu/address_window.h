// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace warplings::cuda_gpu {

/// Makes the driver give device memory at addresses below kEndOfDeviceAddresses (device.h), where no program
/// has memory of its own. To be called before the driver starts.
///
/// The driver asks the system for address space, and gets the highest that is free: near the libraries, where
/// the client, a process with the same habits, may have memory at the same address. A copy could then not
/// tell which of the two is meant. So all address space above is occupied here, without memory behind it.
/// There are simpler ways that do not hold everywhere: the driver ignores wishes (cuMemAddressReserve), and
/// containers forbid personality(ADDR_COMPAT_LAYOUT).
void OccupyHighAddresses();

}  // namespace warplings::cuda_gpu
