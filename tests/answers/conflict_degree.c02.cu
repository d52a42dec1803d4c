// SPDX-License-Identifier: Apache-2.0
// mistake: 1. remembers for each bank only the word that was wanted last: where lanes want word 0, word 32 and word 0
//   again, it counts three words instead of two. 2. deals the lanes of wide elements out in turn (even and odd lanes,
//   or every fourth) instead of taking neighbouring lanes together: 32 doubles in a row come out as a 2-way conflict.
// want: Lanes want the words 0, 32, 0, 32, ...: how many different words of bank 0 are these, and how many do you
//   count? (Then: which lanes are served together for doubles: 0, 2, 4, ... or 0 to 15?)
#include <algorithm>

#include "conflict_degree.h"

int conflict_degree(WarpRequest request) {
  const int words = std::max(1, request.element_bytes / 4);
  const int turns = words;  // 4 bytes: 1, 8 bytes: 2, 16 bytes: 4

  int worst = 1;
  for (int turn = 0; turn < turns; ++turn) {
    int last_word[32];
    int ways[32] = {};
    std::fill(last_word, last_word + 32, -1);

    for (int lane = turn; lane < 32; lane += turns) {
      for (int w = 0; w < words; ++w) {
        const int word = request.address[lane] / 4 + w;
        const int bank = word % 32;
        if (word == last_word[bank]) continue;  // same word again: broadcast
        last_word[bank] = word;
        ways[bank]++;
      }
    }
    worst = std::max(worst, *std::max_element(ways, ways + 32));
  }
  return worst;
}
