// SPDX-License-Identifier: Apache-2.0
// mistake: (1) "the same" is decided by byte address, so that two chars (or halves) of one word count as two
//   words. (2) the degrees of the groups (half warps, quarters) are added; asked for is the worst of them.
// want: 32 neighbouring chars lie in eight words: how many words does each bank have to give? After that: doubles
//   without any conflict: what is each half's degree, and what does the contract make of the two?
#include "conflict_degree.h"

// How many different words of `bank` do the lanes first, first + 1, ... first + count - 1 want?
static int words_wanted(const WarpRequest& request, int first, int count, int bank) {
  int found = 0;
  for (int lane = first; lane < first + count; ++lane) {
    bool wants = false;
    for (int byte = 0; byte < request.element_bytes; ++byte) {
      if ((request.address[lane] + byte) / 4 % 32 == bank) wants = true;
    }
    if (!wants) continue;

    // Somebody before this lane may want the same.
    for (int other = first; other < lane; ++other) {
      if (request.address[other] == request.address[lane]) wants = false;
    }
    if (wants) ++found;
  }
  return found;
}

int conflict_degree(WarpRequest request) {
  int lanes_together = 32;
  if (request.element_bytes == 8) lanes_together = 16;
  if (request.element_bytes == 16) lanes_together = 8;

  int passes = 0;
  for (int first = 0; first < 32; first += lanes_together) {
    int worst = 1;
    for (int bank = 0; bank < 32; ++bank) {
      const int words = words_wanted(request, first, lanes_together, bank);
      if (words > worst) worst = words;
    }
    passes += worst;
  }
  return passes;
}
