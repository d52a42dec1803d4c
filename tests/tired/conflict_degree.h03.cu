// SPDX-License-Identifier: Apache-2.0
// mistake: the words of a bank are kept as bits of a 32-bit mask, one bit for each row of 128 bytes; from address 4096
//   on the shift is by 32 and more (undefined, in practice modulo 32), and different words fall on the same bit.
// want: How many rows of 128 bytes does your mask have room for, and at which address does that end? Let lane i read
//   at byte 256 * i: which bit does lane 16 set?

#include "conflict_degree.h"

static int bits_set(unsigned mask) {
  int n = 0;
  for (; mask != 0; mask &= mask - 1) ++n;
  return n;
}

int conflict_degree(WarpRequest request) {
  const int bytes = request.element_bytes;
  const int together = bytes <= 4 ? 32 : 128 / bytes;

  int worst = 1;
  for (int first = 0; first < 32; first += together) {
    unsigned rows[32] = {};  // for each bank: which rows of shared memory are wanted
    for (int lane = first; lane < first + together; ++lane) {
      int word = request.address[lane] / 4;
      int left = bytes;
      do {
        rows[word % 32] |= 1u << (word / 32);
        ++word;
        left -= 4;
      } while (left > 0);
    }
    for (unsigned mask : rows) {
      const int n = bits_set(mask);
      if (n > worst) worst = n;
    }
  }
  return worst;
}
