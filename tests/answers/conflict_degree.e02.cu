// SPDX-License-Identifier: Apache-2.0
// mistake: the sets of words are made once and not emptied between the groups of lanes; with elements of 8 and 16
//   bytes the words of groups served one after the other pile up (doubles in a row: 2 instead of 1).
// want: When your loop comes to lanes 16 to 31, what do the sets hold before the first of these lanes is looked at?
//   Do lanes of different groups get in each other's way?

#include <algorithm>
#include <set>

#include "conflict_degree.h"

int conflict_degree(WarpRequest request) {
  int group = 32;  // lanes that are served together
  switch (request.element_bytes) {
    case 8: group = 16; break;
    case 16: group = 8; break;
    default: break;
  }

  std::set<int> wanted[32];  // the words of each bank; a set holds each of them once
  size_t worst = 1;
  for (int first = 0; first < 32; first += group) {
    for (int lane = first; lane < first + group; ++lane) {
      const int begin = request.address[lane];
      const int end = begin + request.element_bytes;
      for (int byte = begin; byte < end; ++byte) {
        wanted[byte / 4 % 32].insert(byte / 4);
      }
    }
    for (const std::set<int>& words : wanted) worst = std::max(worst, words.size());
  }
  return static_cast<int>(worst);
}
