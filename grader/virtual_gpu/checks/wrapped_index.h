// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "grader/virtual_gpu/machine/context.h"

namespace warplings::vgpu {

/// An unsigned index of 32 bits that went below 0, and was made an address of 64 bits: it leads 2^32 elements
/// too far.
struct WrappedIndex {
  /// Where the array begins; null if the pointer had moved away from the beginning of one.
  const Region* region = nullptr;
  std::int64_t meant = 0;  ///< The index without the wrap, if the array is known: below 0.
  std::int64_t used() const { return meant + (std::int64_t{1} << 32); }
};

/// Whether that is how an access of so many bytes came to `address`, which lies in no memory of the device
/// and far from all of it. Elements may be larger than what is accessed of them, up to 16 bytes.
std::optional<WrappedIndex> FindWrappedIndex(std::uint64_t address, std::uint32_t bytes,
                                             const GridRequest& grid);

}  // namespace warplings::vgpu
