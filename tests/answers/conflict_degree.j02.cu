// SPDX-License-Identifier: Apache-2.0
// mistake: two. 1. Elements of 16 bytes are served by halves of the warp, as those of 8 are; they are served by
//   quarters. Neighbouring float4 get 2 instead of 1. 2. Ticks off the row of 32 words that a word lies in, and has
//   only 32 rows: rows 32 apart fall on one tick, so that words 4096 bytes apart count as one. Lane 0 at byte 0 and
//   lane 1 at byte 4096 get 1 instead of 2.
// want: 32 lanes read neighbouring float4: how many bytes do 16 lanes want, and how many do 32 banks give at once? And:
//   lanes want bytes 0 and 4096: which bank is each in, are they the same word, and which elements of seen do you tick?
#include "conflict_degree.h"

int conflict_degree(WarpRequest request) {
  const int together = request.element_bytes <= 4 ? 32 : 16;
  const int words_each = request.element_bytes <= 4 ? 1 : request.element_bytes / 4;

  int worst = 1;
  for (int group = 0; group < 32 / together; ++group) {
    // seen[bank][row]: as in a tile of 32 x 32 words, a bank is a column
    bool seen[32][32] = {};

    for (int k = 0; k < together; ++k) {
      const int word = request.address[group * together + k] / 4;
      for (int w = word; w < word + words_each; ++w) {
        const int bank = w % 32;
        const int row = w / 32 % 32;
        seen[bank][row] = true;
      }
    }

    for (auto& bank : seen) {
      int ways = 0;
      for (bool wanted : bank) ways += wanted ? 1 : 0;
      if (ways > worst) worst = ways;
    }
  }
  return worst;
}
