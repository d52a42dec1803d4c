// SPDX-License-Identifier: Apache-2.0
// mistake: the words of a bank are kept as bits of a 64-bit mask, bit word / 32. From byte 8192 on the shift is
//   64 or more, which is undefined, and on x86 starts again at bit 0. With 4-byte elements, lane 0 at byte 0 and
//   all others at byte 8192, bank 0 is asked for two words; this answers 1. To look at the first word of each
//   wide element only is right, since such elements are aligned and either coincide or differ in all words.
// want: How many different words of one bank can your mask tell apart? How large may an address be?
#include "conflict_degree.h"

int conflict_degree(WarpRequest request) {
  const int size = request.element_bytes;
  const int together = size > 4 ? 128 / size : 32;

  int worst = 1;
  for (int group = 0; group < 32 / together; ++group) {
    unsigned long long lines[32] = {};  // for each bank: which of its words are wanted

    for (int k = 0; k < together; ++k) {
      // elements are aligned, so if the first words of two of them clash, so do the others
      const int word = request.address[group * together + k] >> 2;
      lines[word & 31] |= 1ull << (word >> 5);
    }

    for (unsigned long long wanted : lines) {
      int n = 0;
      for (; wanted != 0; wanted &= wanted - 1) ++n;
      if (n > worst) worst = n;
    }
  }
  return worst;
}
