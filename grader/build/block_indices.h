// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

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

/// A kernel that never uses blockIdx of one axis, or of any.
struct UnusedBlockIndex {
  struct Variable {
    std::string name;
    int line = 0;
  };
  std::string index;                ///< "blockIdx.y", or "blockIdx".
  std::vector<Variable> variables;  ///< Those that are the thread's index alone: `row` of `int row = ty;`.
  /// `blockDim.y * TILE + ty`, where blockIdx.y is meant; empty if there is nothing like that.
  std::string product;
  int product_line = 0;
  char axis = ' ';  ///< Of `index` or of the product; ' ' for any.
};

/// Of the kernel with that name, whose launch has several blocks along each of the axes ("xy"). Nothing if
/// the kernel may find out in another way which block runs, or does not use the index of the thread along
/// that axis.
std::optional<UnusedBlockIndex> FindUnusedBlockIndex(std::string_view source, std::string_view kernel,
                                                     std::string_view axes);

/// `sums[tx]`: what the line of a kernel stores to, if that is a single element of one of its parameters: a
/// pointer that the kernel makes, or moves, may depend on the block.
std::optional<std::string> FindStoredElement(std::string_view source, int line);

/// Whether the line stores to one element of an array with `=`, of a value without that array.
bool StoresAnew(std::string_view source, int line);

/// The first index of a kernel that multiplies blockIdx by gridDim of the same axis, which numbers nothing.
std::optional<BlockIndex> FindIndexTimesBlocks(std::string_view source);

}  // namespace warplings
