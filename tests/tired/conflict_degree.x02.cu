// SPDX-License-Identifier: Apache-2.0
// mistake: the groups for wide elements are interleaved (lane % groups), not consecutive lanes. 8 bytes, lane l at 8 * l:
//   lanes 0 to 15 fill the 32 banks once, and so do 16 to 31: 1. Here lanes 0 and 16 are in one group and want words 0
//   and 32 of bank 0: 2.
// want: Which lanes are in your first group when elements have 8 bytes? Compare with the header's lanes 0 to 15.
#include "conflict_degree.h"

#include <algorithm>
#include <array>
#include <set>

int conflict_degree(WarpRequest request) {
  const int groups = std::max(1, request.element_bytes / 4);

  std::size_t worst = 1;
  for (int g = 0; g < groups; ++g) {
    std::array<std::set<int>, 32> wanted;
    for (int lane = 0; lane < 32; ++lane) {
      if (lane % groups != g) continue;
      const int begin = request.address[lane];
      const int end = begin + request.element_bytes;
      for (int byte = begin; byte < end; ++byte) {
        const int word = byte >> 2;
        wanted[word & 31].insert(word);
      }
    }
    for (const auto& words : wanted) worst = std::max(worst, words.size());
  }
  return static_cast<int>(worst);
}
