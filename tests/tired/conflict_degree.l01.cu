// SPDX-License-Identifier: Apache-2.0
// mistake: counts a word as new when it differs from the last one that was wanted from this bank, instead of from all
//   before. Lanes that alternate between the words 0 and 32 (bytes 0 and 128) give 32 instead of 2.
// want: Lanes want the words 0, 32, 0, 32, ...: how many different ones are these, and how many does your loop count?
//   What do you compare a word with, and what with should you?
#include "conflict_degree.h"

static int words_wanted(const WarpRequest& request, int first, int count, int bank) {
  const int words_each = request.element_bytes > 4 ? request.element_bytes / 4 : 1;

  int wanted = 0;
  int seen = -1;  // a broadcast counts once
  for (int lane = first; lane < first + count; ++lane) {
    for (int w = 0; w < words_each; ++w) {
      const int word = request.address[lane] / 4 + w;
      if (word % 32 != bank) continue;
      if (word != seen) ++wanted;
      seen = word;
    }
  }
  return wanted;
}

int conflict_degree(WarpRequest request) {
  int lanes_together = 32;
  if (request.element_bytes == 8) lanes_together = 16;
  if (request.element_bytes == 16) lanes_together = 8;

  int worst = 1;
  for (int first = 0; first < 32; first += lanes_together) {
    for (int bank = 0; bank < 32; ++bank) {
      const int words = words_wanted(request, first, lanes_together, bank);
      if (words > worst) worst = words;
    }
  }
  return worst;
}
