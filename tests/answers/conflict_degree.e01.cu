// SPDX-License-Identifier: Apache-2.0
// mistake: a word counts as wanted already only if the last lane that came to this bank wanted it; when lanes take
//   turns between two words (0, 32, 0, 32, ...) each turn counts, and 2 ways become 32.
// want: Lanes 0, 2, 4, ... want word 0, and lanes 1, 3, 5, ... want word 32. How many different words are that? Step
//   through your loop and write down what it compares with.

#include "conflict_degree.h"

// How many different words of `bank` do the lanes first, first + 1, ... first + count - 1 want?
static int words_wanted(const WarpRequest& request, int first, int count, int bank) {
  const int words_each = request.element_bytes > 4 ? request.element_bytes / 4 : 1;

  int different = 0;
  int last = -1;
  for (int lane = first; lane < first + count; ++lane) {
    const int start = request.address[lane] / 4;
    for (int word = start; word < start + words_each; ++word) {
      if (word % 32 != bank) continue;
      if (word == last) continue;  // broadcast
      ++different;
      last = word;
    }
  }
  return different;
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
