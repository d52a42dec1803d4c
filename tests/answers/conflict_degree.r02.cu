// SPDX-License-Identifier: Apache-2.0
// mistake: the counts begin anew with each group of lanes, but the set of words already fetched does not, so a
//   word that an earlier group wanted is no longer counted in a later one. With elements of 8 bytes, lanes 0 to 16 at
//   address 0 and lanes 17 to 31 at address 128, the second half wants words 0 and 32 from bank 0: 2 ways. This
//   counts only word 32 there and says 1. Elements of 4 bytes and less have one group and come out right.
// want: Two halves of a warp are served one after the other. Does the second half get for free what the first one
//   read? Which of your variables live longer than one group?
#include "conflict_degree.h"

#include <set>

int conflict_degree(WarpRequest r) {
  int lanes_together = 32;
  if (r.element_bytes == 8) lanes_together = 16;
  if (r.element_bytes == 16) lanes_together = 8;

  const int words_each = r.element_bytes < 4 ? 1 : r.element_bytes / 4;

  std::set<int> fetched;  // a word that is there already is broadcast
  int worst = 1;
  for (int group = 0; group < 32 / lanes_together; ++group) {
    int ways[32] = {0};
    for (int l = 0; l < lanes_together; ++l) {
      const int word = r.address[group * lanes_together + l] / 4;
      for (int w = word; w < word + words_each; ++w) {
        if (fetched.insert(w).second) {
          ++ways[w % 32];
        }
      }
    }
    for (int bank = 0; bank < 32; ++bank) {
      if (ways[bank] > worst) worst = ways[bank];
    }
  }
  return worst;
}
