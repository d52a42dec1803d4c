// SPDX-License-Identifier: Apache-2.0
// mistake: a word is recognised only if it was the last one that a lane wanted from this bank; if lanes alternate between
//   two words of a bank, each lane counts. 4 bytes, even lanes at byte 0, odd lanes at byte 128: two words of bank 0, a
//   2-way conflict; this says 32.
// want: Let the lanes want word 0, word 32, word 0, word 32, ... How many different words are that? Play your loop for
//   the first three lanes.
#include "conflict_degree.h"

int conflict_degree(WarpRequest request) {
  int group = 32;
  if (request.element_bytes > 4) group = 128 / request.element_bytes;

  int worst = 1;
  for (int start = 0; start < 32; start += group) {
    int last[32];   // word that was fetched from the bank
    int count[32];  // how many so far
    for (int b = 0; b < 32; ++b) {
      last[b] = -1;
      count[b] = 0;
    }

    for (int lane = start; lane < start + group; ++lane) {
      // wide elements are aligned, so where the first words collide the others do just the same
      const int word = request.address[lane] / 4;
      const int bank = word % 32;
      if (last[bank] != word) {
        last[bank] = word;
        ++count[bank];
        if (count[bank] > worst) worst = count[bank];
      }
    }
  }
  return worst;
}
