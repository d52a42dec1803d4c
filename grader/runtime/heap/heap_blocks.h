// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

/// A block of the host's heap, and how much of it is left behind an address.
struct WarplingsHeapBlock {
  std::size_t bytes = 0;  ///< As many as the program asked for.
  std::size_t left = 0;   ///< From the address to the block's end.
};

/// In which block of malloc, calloc, realloc or an aligned kind of these the address is. False: in none that
/// is known. Only programs that `run` starts have this library; all others find no such function.
extern "C" [[gnu::weak, gnu::visibility("default")]] bool WarplingsFindHeapBlock(const void* address,
                                                                                 WarplingsHeapBlock* found);
