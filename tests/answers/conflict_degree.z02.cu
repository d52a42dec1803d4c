// SPDX-License-Identifier: Apache-2.0
// mistake: Two mistakes: the words of a bank are kept as bits of a 64-bit number, which has room for the first 8192
//   bytes of shared memory only; from there on the shift is undefined, and on x86 wraps (element_bytes 4, lane 0 at
//   address 0, the others at 8192: 2, the answer is 1). And the lanes served together are taken as every second or
//   every fourth lane in place of halves and quarters that follow one another (element_bytes 8, lane i at 8 * i: 1,
//   but the even lanes want words 0 and 32 of bank 0, and the answer is 2).
// want: Which lanes does your loop visit for g = 0 when an element has 8 bytes? Compare them with those that the header
//   names for the first half. (Afterwards: how many words of one bank can `rows` tell apart?)
#include <cstdint>

#include "conflict_degree.h"

static int popcount(std::uint64_t v) {
  int n = 0;
  while (v) {
    v &= v - 1;
    ++n;
  }
  return n;
}

int conflict_degree(WarpRequest request) {
  const int eb = request.element_bytes;
  const int groups = eb <= 4 ? 1 : eb / 4;        // 1, 2 or 4 passes anyway
  const int words_per_element = eb < 4 ? 1 : eb / 4;

  int worst = 1;
  for (int g = 0; g < groups; ++g) {
    // rows[b]: one bit for each row of 32 words out of which bank b is asked
    std::uint64_t rows[32] = {};
    for (int lane = g; lane < 32; lane += groups) {
      for (int w = 0; w < words_per_element; ++w) {
        const int word = request.address[lane] / 4 + w;
        rows[word & 31] |= std::uint64_t{1} << (word >> 5);
      }
    }
    for (std::uint64_t r : rows) {
      const int ways = popcount(r);
      if (ways > worst) worst = ways;
    }
  }
  return worst;
}
