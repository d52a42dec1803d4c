// SPDX-License-Identifier: Apache-2.0
// mistake: For each bank only the word that was wanted last is remembered, so that a word counts again when another
//   word of the same bank was wanted in between. element_bytes 4, lanes alternately at addresses 0, 128, 0, 128 ...:
//   two words of bank 0, hence 2; the answer is 32. (That only the first word of an element of 8 or 16 bytes is
//   looked at is right, since elements are aligned.)
// want: Let the lanes ask alternately for address 0 and address 128. How many different words are that, and how often
//   does your counter go up?
#include <algorithm>

#include "conflict_degree.h"

int conflict_degree(WarpRequest request) {
  const int together = std::min(32, 128 / request.element_bytes);
  int degree = 1;

  for (int group = 0; group < 32; group += together) {
    int count[32];
    int seen[32];  // word that the bank hands out already, -1: none yet
    std::fill(count, count + 32, 0);
    std::fill(seen, seen + 32, -1);

    for (int lane = group; lane < group + together; ++lane) {
      // An 8 or 16 byte element is aligned. What its other words meet in the next banks is the same as what
      // the first word meets in this one.
      const int word = request.address[lane] / 4;
      const int bank = word % 32;
      if (seen[bank] == word) continue;  // broadcast
      seen[bank] = word;
      degree = std::max(degree, ++count[bank]);
    }
  }
  return degree;
}
