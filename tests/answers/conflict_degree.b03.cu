// SPDX-License-Identifier: Apache-2.0
// mistake: the words of a bank are kept as bits of a 64-bit mask, bit word / 32: from byte address 8192 on the
//   shift leaves the mask, and different words fall on the same bit.
// want: how many words has one bank of 48 KB of shared memory, and how many bits has your mask? Take lanes with a
//   stride of 128 floats: which bit does lane 16 set, and which lane 0?
#include "conflict_degree.h"

static int bits(unsigned long long mask) {
  int n = 0;
  for (; mask != 0; mask &= mask - 1) ++n;
  return n;
}

int conflict_degree(WarpRequest request) {
  const int words_each = request.element_bytes > 4 ? request.element_bytes / 4 : 1;
  const int lanes_together = 32 / words_each;

  int worst = 1;
  for (int group = 0; group < words_each; ++group) {
    // One bit for each word of a bank: who wants a word that is wanted already changes nothing.
    unsigned long long wanted[32] = {};
    for (int lane = group * lanes_together; lane < (group + 1) * lanes_together; ++lane) {
      const int word = request.address[lane] / 4;
      for (int w = word; w < word + words_each; ++w) {
        wanted[w % 32] |= 1ull << (w / 32);
      }
    }
    for (int bank = 0; bank < 32; ++bank) {
      const int degree = bits(wanted[bank]);
      if (degree > worst) worst = degree;
    }
  }
  return worst;
}
