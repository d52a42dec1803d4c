// SPDX-License-Identifier: Apache-2.0
// mistake: two: the lanes of wide elements are grouped alternately (0, 2, 4 ... and 1, 3, 5 ...), not into halves and
//   quarters of neighbours; and repeated wishes are found by byte address, so that two narrow elements in the same
//   word count twice.
// want: Which lanes are served together with lane 0 when elements have 8 bytes, by the header, and which in your
//   loop? Then: lanes 0 and 1 read bytes 0 and 1: how many different words do they want?

#include "conflict_degree.h"

int conflict_degree(WarpRequest request) {
  const int words_each = request.element_bytes > 4 ? request.element_bytes / 4 : 1;
  const int groups = words_each;  // 1, 2 or 4 turns

  int worst = 1;
  for (int group = 0; group < groups; ++group) {
    for (int bank = 0; bank < 32; ++bank) {
      int seen[32 * 4];
      int n = 0;
      for (int lane = group; lane < 32; lane += groups) {
        for (int w = 0; w < words_each; ++w) {
          const int address = request.address[lane] + 4 * w;
          if (address / 4 % 32 != bank) continue;
          bool known = false;
          for (int s = 0; s < n; ++s) {
            if (seen[s] == address) known = true;
          }
          if (!known) seen[n++] = address;
        }
      }
      if (n > worst) worst = n;
    }
  }
  return worst;
}
