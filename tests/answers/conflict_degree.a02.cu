// SPDX-License-Identifier: Apache-2.0
// mistake: serves elements of 16 bytes for half warps like those of 8; they are served for quarters (8 lanes).
// want: How many bytes do 16 lanes of 16 bytes want, and how many do 32 banks give in one pass? Read again how many
//   lanes are served together for 16 bytes.
#include <set>

#include "conflict_degree.h"

static int words_wanted(const WarpRequest& request, int first, int count, int bank) {
  std::set<int> words;  // a set keeps each word once
  for (int lane = first; lane < first + count; ++lane) {
    int word = request.address[lane] / 4;
    int left = request.element_bytes;
    while (left > 0) {
      if (word % 32 == bank) words.insert(word);
      ++word;
      left -= 4;
    }
  }
  return (int)words.size();
}

int conflict_degree(WarpRequest request) {
  // wide elements: half a warp at a time
  const int lanes_together = request.element_bytes > 4 ? 16 : 32;

  int worst = 1;
  for (int first = 0; first < 32; first += lanes_together) {
    for (int bank = 0; bank < 32; ++bank) {
      const int words = words_wanted(request, first, lanes_together, bank);
      if (words > worst) worst = words;
    }
  }
  return worst;
}
