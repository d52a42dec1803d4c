// SPDX-License-Identifier: Apache-2.0
// mistake: the different words of a bank are kept as bits of a 64-bit mask, bit word / 32, which has room for the first
//   8192 bytes of shared memory only; beyond, the shift is by 64 or more (undefined; on x86 modulo 64). 4-byte elements,
//   lane 0 at 0, all others at 8192: two words of bank 0, so 2; this sets one bit twice and says 1.
// want: What is the largest address for which your mask has a bit of its own? Try lanes at 0 and at 8192.
#include "conflict_degree.h"

#include <cstdint>

int conflict_degree(WarpRequest request) {
  const int bytes = request.element_bytes;
  const int together = bytes == 16 ? 8 : bytes == 8 ? 16 : 32;
  const int words_per_element = bytes < 4 ? 1 : bytes / 4;

  int worst = 1;
  for (int group = 0; group < 32 / together; ++group) {
    // For each bank one bit per row of 128 bytes that somebody wants. A row is wanted or it isn't, so
    // lanes with the same word count once all by themselves.
    std::uint64_t rows[32] = {};
    for (int l = group * together; l < (group + 1) * together; ++l) {
      const int w0 = request.address[l] / 4;
      for (int w = w0; w < w0 + words_per_element; ++w) {
        rows[w % 32] |= 1ull << (w / 32);
      }
    }
    for (std::uint64_t r : rows) {
      int ways = 0;
      while (r) {
        r &= r - 1;
        ++ways;
      }
      if (ways > worst) worst = ways;
    }
  }
  return worst;
}
