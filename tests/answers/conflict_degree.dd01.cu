// SPDX-License-Identifier: Apache-2.0
// mistake: A word is compared only with the last one that was wanted from its bank, so a word that comes back after another
//   one is counted again. element_bytes 4, addresses 0, 128, and 0 for all other lanes: bank 0 is asked for two words,
//   the answer is 2; this says 3. (Looking at each element's first word only is right: elements are aligned.)
// want: Let lanes 0, 1 and 2 read addresses 0, 128 and 0. Which words does bank 0 have to deliver, and what does your counter
//   show after each of the three lanes?
#include "conflict_degree.h"

#include <algorithm>

int conflict_degree(WarpRequest request) {
  int group = 32;
  if (request.element_bytes == 8) group = 16;
  if (request.element_bytes == 16) group = 8;

  int degree = 1;
  for (int start = 0; start != 32; start += group) {
    int last[32];   // the word that this bank was asked for
    int count[32];  // how many
    std::fill(last, last + 32, -1);
    std::fill(count, count + 32, 0);

    for (int lane = start; lane < start + group; ++lane) {
      // the other words of a wide element are in the banks next door, and there it looks just the same
      const int word = request.address[lane] / 4;
      const int bank = word % 32;
      if (last[bank] == word) continue;  // same word: broadcast
      last[bank] = word;
      degree = std::max(degree, ++count[bank]);
    }
  }
  return degree;
}
