// SPDX-License-Identifier: Apache-2.0
// mistake: deals the lanes to the groups in turn (lane % groups: even and odd lanes) instead of halves and quarters of
//   neighbouring lanes: 8 bytes at 8 * lane comes out as 2 instead of 1.
// want: Which lanes are served together for 8 bytes, 0 to 15 or 0, 2, 4, ...? Write down the group of lanes 0, 1, 16 and
//   17, and compare with yours.
#include <set>

#include "conflict_degree.h"

int conflict_degree(WarpRequest request) {
  const int groups = request.element_bytes <= 4 ? 1 : request.element_bytes / 4;

  int worst = 1;
  for (int g = 0; g < groups; ++g) {
    // the words that this group wants, sorted by bank; a set has each word once
    std::set<int> words[32];
    for (int lane = 0; lane < 32; ++lane) {
      if (lane % groups != g) continue;
      const int begin = request.address[lane];
      const int end = begin + request.element_bytes;
      for (int byte = begin; byte < end; ++byte) {
        words[byte / 4 % 32].insert(byte / 4);
      }
    }
    for (const auto& w : words) {
      if ((int)w.size() > worst) worst = (int)w.size();
    }
  }
  return worst;
}
