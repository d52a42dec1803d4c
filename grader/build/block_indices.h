// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace warplings {

/// A kernel's index by which several blocks store to the same elements.
struct BlockIndex {
  enum class Mistake {
    kWithoutBlock,  ///< `threadIdx.x`
    kTimesBlocks,   ///< `blockIdx.x * gridDim.x + threadIdx.x`
    kBlockAlone     ///< `blockIdx.x + threadIdx.x`
  };
  Mistake mistake = Mistake::kWithoutBlock;
  std::string index;  ///< "i" or "threadIdx.x".
  int line = 0;       ///< Where the index gets its value.
  std::string axis = "x";
};

/// The index of the store in that line, of which a race between blocks was found.
std::optional<BlockIndex> FindWrongBlockIndex(std::string_view source, int storing_line);

/// The first index of a kernel that multiplies blockIdx by gridDim of the same axis, which numbers nothing.
std::optional<BlockIndex> FindIndexTimesBlocks(std::string_view source);

}  // namespace warplings
