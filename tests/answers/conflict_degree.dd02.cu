// SPDX-License-Identifier: Apache-2.0
// mistake: Two mistakes: a bank's words are remembered in 64 bits, by their row of 128 bytes modulo 64, so that words 8192 bytes
//   apart count as one: element_bytes 4, lane 0 at 0, all others at 8192: 2, this says 1. And the bits are not cleared
//   from one group of lanes to the next: element_bytes 8, lane l at 8 x l: 1, this says 2, for lanes 16 to 31 want
//   other words than lanes 0 to 15, but later.
// want: A warp reads 32 doubles that are neighbours, address[l] = 8 x l. What does `wanted` hold when the second half of the
//   warp begins?
#include <bit>
#include <cstdint>

#include "conflict_degree.h"

int conflict_degree(WarpRequest request) {
  const int bytes = request.element_bytes;
  const int lanes = bytes <= 4 ? 32 : 128 / bytes;  // one pass moves 128 bytes
  const int words = bytes <= 4 ? 1 : bytes / 4;

  // One bit for each row of 32 words. Setting it twice changes nothing.
  uint64_t wanted[32] = {};
  int worst = 1;

  for (int group = 0; group < 32 / lanes; ++group) {
    for (int l = 0; l < lanes; ++l) {
      const int first = request.address[group * lanes + l] / 4;
      for (int w = first; w < first + words; ++w) {
        wanted[w & 31] |= uint64_t{1} << ((w >> 5) & 63);
      }
    }
    for (uint64_t bank : wanted) {
      const int ways = std::popcount(bank);
      if (ways > worst) worst = ways;
    }
  }
  return worst;
}
