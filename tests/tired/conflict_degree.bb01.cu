// SPDX-License-Identifier: Apache-2.0
// mistake: the words of a bank are told apart by (word / 32) % 64, one bit of a 64-bit mask, so that words of one bank
//   that are a multiple of 8192 bytes apart count as one. element_bytes 4, address[lane] = 1024 * lane: 32 different
//   words of bank 0, in rows 0, 8, ..., 248; the mask keeps 8 of them and the answer is 8 instead of 32.
// want: Which two different words of one bank does your record take for the same word? Try lanes that are 8192 bytes
//   apart.
#include "conflict_degree.h"

int conflict_degree(WarpRequest request) {
  const int size = request.element_bytes;
  const int words = size <= 4 ? 1 : size / 4;
  const int together = 32 / words;

  int worst = 0;
  for (int lane = 0; lane < 32;) {
    // One bit for each row of 128 bytes, for each bank.
    unsigned long long rows[32] = {};
    do {
      const int word = request.address[lane] / 4;
      for (int w = word; w < word + words; ++w) {
        rows[w % 32] |= 1ull << (w / 32 % 64);
      }
      ++lane;
    } while (lane % together != 0);

    for (unsigned long long mask : rows) {
      int bits = 0;
      for (; mask != 0; mask &= mask - 1) ++bits;
      if (bits > worst) worst = bits;
    }
  }
  return worst;
}
