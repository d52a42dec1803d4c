// SPDX-License-Identifier: Apache-2.0
// mistake: adds up the extra passes of all groups of lanes instead of taking the worst group. Shows only for elements
//   of 8 and 16 bytes, and only where more than one group has conflicts: two halves with 2 ways each give 3 instead of
//   2.
// want: Doubles, and in both halves of the warp every bank is wanted for two words: what does the header call the
//   answer for such a request, and what do you return? What does its sentence on "the worst of these groups" ask for?
#include <set>

#include "conflict_degree.h"

// How many different words of `bank` do the lanes first, first + 1, ... first + count - 1 want?
static int words_wanted(const WarpRequest& request, int first, int count, int bank) {
  std::set<int> words;
  for (int lane = first; lane < first + count; ++lane) {
    int byte = request.address[lane];
    const int end = byte + request.element_bytes;
    for (; byte < end; ++byte) {
      if (byte / 4 % 32 == bank) words.insert(byte / 4);
    }
  }
  return static_cast<int>(words.size());
}

int conflict_degree(WarpRequest request) {
  int lanes_together = 32;
  if (request.element_bytes > 4) lanes_together = 128 / request.element_bytes;

  int extra = 0;  // passes that a request without conflicts does not need
  for (int first = 0; first < 32; first += lanes_together) {
    int ways = 1;
    for (int bank = 0; bank < 32; ++bank) {
      const int words = words_wanted(request, first, lanes_together, bank);
      if (words > ways) ways = words;
    }
    extra += ways - 1;
  }
  return 1 + extra;
}
