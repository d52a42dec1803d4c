// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "grader/virtual_gpu/memory/global_memory.h"

namespace warplings::vgpu {

/// Bytes of a copy to the host that nothing has stored.
struct UnsetBytes {
  std::uint64_t first = 0, last = 0;  ///< Counted from the copy's start.
  std::uint64_t count = 0;            ///< Some in between may be set.
};

/// Nothing, where all are set but padding: of structs, of which each aligned 8 bytes have some byte that a
/// member sets, and of rows that lie a pitch apart.
std::optional<UnsetBytes> FindUnsetBytes(const GlobalMemory& memory, DevicePointer start,
                                         std::uint64_t bytes);

}  // namespace warplings::vgpu
