// SPDX-License-Identifier: Apache-2.0
// mistake: the words of a bank are told apart by their row modulo 64, so that two words whose addresses differ by a
//   multiple of 8192 bytes count as one. element_bytes 4, lane 1 at address 8192 and all other lanes at 0: bank 0
//   has two words, the degree is 2; here it is 1. Below 8 KB everything is right.
// want: how many different words can one bank have? Try two lanes that are 8192 bytes apart: which bit does each set?
#include "conflict_degree.h"

#include <algorithm>
#include <bitset>

int conflict_degree(WarpRequest r) {
  // 128 bytes go through at a time, never more than the warp has
  const int group = std::min(32, 128 / r.element_bytes);
  const int words_each = std::max(1, r.element_bytes / 4);

  int result = 1;
  for (int g = 0; g < 32 / group; g++) {
    // One set of rows for each bank. A row is 128 bytes: one word of each bank.
    std::bitset<64> rows[32];
    for (int l = g * group; l < (g + 1) * group; l++) {
      const int w0 = r.address[l] / 4;
      for (int w = w0; w < w0 + words_each; w++) {
        rows[w % 32].set((w / 32) % rows[0].size());
      }
    }
    for (const auto& bank : rows) result = std::max(result, (int)bank.count());
  }
  return result;
}
