// SPDX-License-Identifier: Apache-2.0
//
// Chapter 5, bank conflicts. When lanes of a warp read different words from the same bank, the request takes
// several passes. How many? Two places are marked TODO; this is a host function, not a kernel.
//
//   ./warplings check conflict_degree

#include "conflict_degree.h"

// How many different words of `bank` do the lanes first, first + 1, ... first + count - 1 read?
static int words_wanted(const WarpRequest& request, int first, int count, int bank) {
  // TODO 1: an element of 8 or 16 bytes covers several words, each in its own bank. An element of 1 or
  // 2 bytes needs the word that it lies in. A word that several lanes read counts once.
  return 0;
}

int conflict_degree(WarpRequest request) {
  // TODO 2: how many lanes are served together? That depends on the size of an element.
  const int lanes_together = 32;

  int worst = 1;
  for (int first = 0; first < 32; first += lanes_together) {
    for (int bank = 0; bank < 32; ++bank) {
      const int words = words_wanted(request, first, lanes_together, bank);
      if (words > worst) worst = words;
    }
  }
  return worst;
}
