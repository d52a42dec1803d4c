// SPDX-License-Identifier: Apache-2.0
// mistake: leaves out the last word of each element: w < w1.
// want: For floats you count no word at all.
#include "conflict_degree.h"

// How many different words of `bank` do the lanes first, first + 1, ... first + count - 1 read?
static int words_wanted(const WarpRequest& request, int first, int count, int bank) {
  // TODO 1: an element of 8 or 16 bytes covers several words, each in its own bank. An element of 1 or
  // 2 bytes needs the word that it lies in. A word that several lanes read counts once.
  int seen[128], n = 0;
  for (int lane = first; lane < first + count; ++lane) {
    int w0 = request.address[lane] / 4, w1 = (request.address[lane] + request.element_bytes - 1) / 4;
    for (int w = w0; w < w1; ++w) {
      if (w % 32 != bank) continue;
      bool found = false;
      for (int i = 0; i < n; ++i) if (seen[i] == w) found = true;
      if (!found) seen[n++] = w;
    }
  }
  return n;
}

int conflict_degree(WarpRequest request) {
  // TODO 2: how many lanes are served together? That depends on the size of an element.
  const int lanes_together = request.element_bytes <= 4 ? 32 : request.element_bytes == 8 ? 16 : 8;

  int worst = 1;
  for (int first = 0; first < 32; first += lanes_together) {
    for (int bank = 0; bank < 32; ++bank) {
      const int words = words_wanted(request, first, lanes_together, bank);
      if (words > worst) worst = words;
    }
  }
  return worst;
}
