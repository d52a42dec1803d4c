// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace warplings {

// What the text of a submission tells about the use of threadIdx. Each function says nothing in doubt.

/// A kernel that uses threadIdx.y, and the block that has no second extent: the line that declares it, or
/// that of the launch.
struct FlatLaunch {
  int use_line = 0, block_line = 0;
};

/// Of the kernel with this name, whose blocks were seen to have one row: `axis` is 'y', or 'z' for one layer.
/// Nothing if the kernel asks for blockDim of that axis, uses the index only to number the threads
/// (`threadIdx.y * 16 + threadIdx.x`) or to compare it with 0, or if the launch gives that extent.
std::optional<FlatLaunch> FindFlatLaunch(std::string_view source, std::string_view kernel, char axis);

/// An array of each thread's own that is used like one of the block.
struct OwnArray {
  std::string name;
  int line = 0;  ///< Of its declaration.
};

/// The array that the line reads and whose declaration lacks `__shared__`: each thread stores it only where
/// its own index says, and reads it elsewhere, too.
std::optional<OwnArray> FindUnsharedArray(std::string_view source, int reading_line);

/// The same from the text alone: each thread stores a single element, at its own index, and the block waits
/// at a barrier before others are read.
std::optional<OwnArray> FindUnsharedArray(std::string_view source);

/// A variable of each thread's own that an atomic function is to change: these work on global and shared
/// memory only.
struct AtomicOnOwn {
  std::string name;
  int line = 0;  ///< Of its declaration.
  std::string function;
  int atomic_line = 0;
};
std::optional<AtomicOnOwn> FindAtomicOnOwn(std::string_view source);

/// A line that fills a tile at both indices of the thread, `Mds[ty][tx] = M[row * width + m_col]`, from a
/// place whose row and column both come from one of them: all rows of the tile get the same elements.
struct DiagonalLoad {
  int line = 0;
  std::string element;                ///< "M[row * width + m_col]"
  std::string row, column;            ///< "row", "m_col"
  int row_line = 0, column_line = 0;  ///< Where they are set.
  std::string used, unused;           ///< "tx", "ty"
};
std::optional<DiagonalLoad> FindDiagonalLoad(std::string_view source);

/// Two such lines of one kernel, whose tiles have y first: one loads by x alone, the other by y alone. The
/// row of the one and the column of the other are exchanged.
struct ExchangedThreadIndices {
  std::string row, column;            ///< "row", "col"
  int row_line = 0, column_line = 0;  ///< Where they are set.
  std::string x, y;                   ///< "tx", "ty"
  int line = 0;                       ///< That of the load by x alone.
};
std::optional<ExchangedThreadIndices> FindExchangedThreadIndices(std::string_view source);

/// A line that multiplies elements of two tiles, both at the same index of the thread.
struct SameIndex {
  int line = 0;
  std::string used, unused;  ///< "tx", "ty".
};

/// `axis` is 'x' if both tiles are read at threadIdx.x and neither at threadIdx.y, or 'y'.
std::optional<SameIndex> FindSameIndex(std::string_view source, char axis);

}  // namespace warplings
