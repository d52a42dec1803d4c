// SPDX-License-Identifier: Apache-2.0
// mistake: Two mistakes: a word is left out only where it is the one that was counted last, so a word that comes again
//   after another counts again: 4-byte elements, even lanes at 0 and odd ones at 128 want 2 words of bank 0, and this
//   says 32. And elements of 16 bytes are served by halves of the warp like those of 8, not by quarters: 32 neighbouring
//   elements of 16 bytes have no conflict, 1, and this says 2.
// want: Let the lanes want the words 0, 32, 0, 32, ... in turn. How many different words are that, and with which of
//   the earlier ones do you compare the third?
#include "conflict_degree.h"

// How many different words of `bank` do the lanes first, first + 1, ... first + count - 1 want?
static int words_wanted(const WarpRequest& request, int first, int count, int bank) {
  int words = 0;
  int last = -1;  // the word counted before
  for (int lane = first; lane < first + count; ++lane) {
    const int begin = request.address[lane];
    const int end = begin + request.element_bytes;
    for (int word = begin / 4; word * 4 < end; ++word) {
      if (word % 32 != bank) continue;
      if (word == last) continue;  // same word: broadcast
      last = word;
      ++words;
    }
  }
  return words;
}

int conflict_degree(WarpRequest request) {
  // wide loads go by half warps
  const int lanes_together = request.element_bytes <= 4 ? 32 : 16;

  int worst = 1;
  for (int first = 0; first < 32; first += lanes_together) {
    for (int bank = 0; bank < 32; ++bank) {
      const int words = words_wanted(request, first, lanes_together, bank);
      if (words > worst) worst = words;
    }
  }
  return worst;
}
