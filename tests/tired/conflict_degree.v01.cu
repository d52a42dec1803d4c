// SPDX-License-Identifier: Apache-2.0
// mistake: a word counts as known only where it is the one seen last in its bank, which holds for ascending addresses
//   only. Floats at bytes 0, 128, 0, 128, ...: words 0 and 32, both in bank 0, so 2; the student counts 32.
// want: Let the lanes ask for words 0, 32, 0, 32, ... How many different words are that, and how many do you count? What
//   do you remember of a bank?
#include "conflict_degree.h"

int conflict_degree(WarpRequest request) {
  const int size = request.element_bytes;
  const int words_each = size > 4 ? size / 4 : 1;
  const int together = 32 / words_each;  // 32, 16 or 8 lanes: 128 bytes at most

  int worst = 1;
  int seen[32], last[32];
  for (int lane = 0; lane < 32; ++lane) {
    if (lane % together == 0) {  // a new group begins
      for (int b = 0; b < 32; ++b) seen[b] = 0, last[b] = -1;
    }
    for (int w = request.address[lane] / 4, end = w + words_each; w < end; ++w) {
      const int bank = w % 32;
      if (last[bank] == w) continue;
      last[bank] = w;
      if (++seen[bank] > worst) worst = seen[bank];
    }
  }
  return worst;
}
