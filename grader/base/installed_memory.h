// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace warplings {

/// Bytes of memory that this machine has, in use or not.
std::uint64_t InstalledMemory();

}  // namespace warplings
