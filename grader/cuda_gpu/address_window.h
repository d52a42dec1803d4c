// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace warplings::cuda_gpu {

/// Makes the driver place device memory below kEndOfDeviceAddresses (device.h), where no program has memory
/// of its own. Call it before the driver starts.
///
/// The driver gets the highest free address space from the system: near the libraries, where the client
/// process may have its own memory at the same address, so that a copy could not tell which of the two is
/// meant. Therefore this reserves all address space above, without memory behind it. Simpler ways do not work
/// everywhere: the driver ignores requested addresses (cuMemAddressReserve), and containers forbid
/// personality(ADDR_COMPAT_LAYOUT).
void OccupyHighAddresses();

}  // namespace warplings::cuda_gpu
