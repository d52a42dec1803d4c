// SPDX-License-Identifier: Apache-2.0
// mistake: two. 128 bytes / element size gives 64 or 128 lanes for elements of 2 and 1 bytes, and the loop reads
//   address[] behind its end. And a bank is taken to be as wide as an element of 8 or 16 bytes, so that doubles
//   128 bytes apart seem not to meet.
// want: How many lanes does your formula give for chars, and how many has a warp? And two doubles, at bytes 0 and
//   128: which 4-byte words are that, and in which banks?

#include "conflict_degree.h"

// How many different words of `bank` do the lanes first, first + 1, ... first + count - 1 want?
static int words_wanted(const WarpRequest& request, int first, int count, int bank) {
  const int word_bytes = request.element_bytes < 4 ? 4 : request.element_bytes;

  int different = 0;
  for (int lane = first; lane < first + count; ++lane) {
    const int word = request.address[lane] / word_bytes;
    if (word % 32 != bank) continue;

    bool seen = false;
    for (int earlier = first; earlier < lane; ++earlier) {
      if (request.address[earlier] / word_bytes == word) seen = true;
    }
    if (!seen) ++different;
  }
  return different;
}

int conflict_degree(WarpRequest request) {
  // All banks together deliver 128 bytes in one go.
  const int lanes_together = 128 / request.element_bytes;

  int worst = 1;
  for (int first = 0; first < 32; first += lanes_together) {
    for (int bank = 0; bank < 32; ++bank) {
      const int words = words_wanted(request, first, lanes_together, bank);
      if (words > worst) worst = words;
    }
  }
  return worst;
}
