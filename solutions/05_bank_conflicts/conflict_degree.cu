// SPDX-License-Identifier: Apache-2.0
//
// Chapter 5, conflict_degree: the solution. Two lanes are in each other's way only if they want different
// words of the same bank at the same time; each of these three conditions is one step below.

#include "conflict_degree.h"

// How many different words of `bank` do the lanes first, first + 1, ... first + count - 1 want?
static int words_wanted(const WarpRequest& request, int first, int count, int bank) {
  const int words_each = request.element_bytes > 4 ? request.element_bytes / 4 : 1;

  int wanted[32 * 4];  // the words found so far: at most 4 for each lane
  int found = 0;
  for (int lane = first; lane < first + count; ++lane) {
    for (int k = 0; k < words_each; ++k) {
      const int word = request.address[lane] / 4 + k;
      if (word % 32 != bank) continue;

      // One pass hands a word to everybody who wants it, so a word counts once. Two chars of one word are the
      // same word, too.
      bool known = false;
      for (int i = 0; i < found; ++i) known = known || wanted[i] == word;
      if (!known) wanted[found++] = word;
    }
  }
  return found;
}

int conflict_degree(WarpRequest request) {
  // A pass moves one word of each bank: 128 bytes, which is 32 floats, 16 doubles or 8 float4.
  const int lanes_together = request.element_bytes > 4 ? 128 / request.element_bytes : 32;

  int worst = 1;
  for (int first = 0; first < 32; first += lanes_together) {
    for (int bank = 0; bank < 32; ++bank) {
      const int words = words_wanted(request, first, lanes_together, bank);
      if (words > worst) worst = words;
    }
  }
  return worst;
}
