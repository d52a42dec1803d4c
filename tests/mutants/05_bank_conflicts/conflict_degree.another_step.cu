// SPDX-License-Identifier: Apache-2.0
// Wrong on purpose: of each bank only the word found last is remembered, and one that comes again counts
// again.
#include "conflict_degree.h"

static int words_wanted(const WarpRequest& request, int first, int count, int bank) {
  const int words_each = request.element_bytes > 4 ? request.element_bytes / 4 : 1;
  int last = -1;
  int found = 0;
  for (int lane = first; lane < first + count; ++lane) {
    for (int k = 0; k < words_each; ++k) {
      const int word = request.address[lane] / 4 + k;
      if (word % 32 != bank || word == last) continue;
      last = word;
      ++found;
    }
  }
  return found;
}

int conflict_degree(WarpRequest request) {
  const int lanes_together = request.element_bytes > 4 ? 128 / request.element_bytes : 32;
  int worst = 1;
  for (int first = 0; first < 32; first += lanes_together) {
    for (int bank = 0; bank < 32; ++bank) {
      const int words = words_wanted(request, first, lanes_together, bank);
      if (words > worst) worst = words;
    }
  }
  return worst;
}
