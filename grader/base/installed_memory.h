// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace warplings {

/// This machine's physical memory in bytes, in use or not.
std::uint64_t InstalledMemory();

}  // namespace warplings
