// SPDX-License-Identifier: Apache-2.0
// mistake: a word counts as already wanted only if it was the last one seen in that bank; a word that comes back
//   after another one (lanes that alternate between words 0 and 32) is counted anew each time.
// want: Let the even lanes want word 0 and the odd ones word 32. How many different words is that, all in bank 0, and
//   what is your counter at after the fourth lane?

#include "conflict_degree.h"

static int lanes_served_together(int element_bytes) {
  switch (element_bytes) {
    case 16:
      return 8;
    case 8:
      return 16;
    default:
      return 32;
  }
}

static int words_wanted(const WarpRequest& request, int first, int count, int bank) {
  int words = 0;
  int last = -1;  // the word of this bank that was wanted most recently
  for (int lane = first; lane < first + count; ++lane) {
    const int begin = request.address[lane] / 4;
    const int end = (request.address[lane] + request.element_bytes - 1) / 4;
    for (int word = begin; word <= end; ++word) {
      if (word % 32 == bank && word != last) {
        ++words;
        last = word;
      }
    }
  }
  return words;
}

int conflict_degree(WarpRequest request) {
  const int together = lanes_served_together(request.element_bytes);
  int worst = 1;
  for (int first = 0; first < 32; first += together) {
    for (int bank = 0; bank < 32; ++bank) {
      const int words = words_wanted(request, first, together, bank);
      worst = words > worst ? words : worst;
    }
  }
  return worst;
}
