// SPDX-License-Identifier: Apache-2.0
// Wrong on purpose: all 32 lanes are served together, even with doubles.
#include "conflict_degree.h"

static int words_wanted(const WarpRequest& request, int first, int count, int bank) {
  const int words_each = request.element_bytes > 4 ? request.element_bytes / 4 : 1;
  int wanted[32 * 4];
  int found = 0;
  for (int lane = first; lane < first + count; ++lane) {
    for (int k = 0; k < words_each; ++k) {
      const int word = request.address[lane] / 4 + k;
      if (word % 32 != bank) continue;
      bool known = false;
      for (int i = 0; i < found; ++i) known = known || wanted[i] == word;
      if (!known) wanted[found++] = word;
    }
  }
  return found;
}

int conflict_degree(WarpRequest request) {
  const int lanes_together = 32;
  int worst = 1;
  for (int first = 0; first < 32; first += lanes_together) {
    for (int bank = 0; bank < 32; ++bank) {
      const int words = words_wanted(request, first, lanes_together, bank);
      if (words > worst) worst = words;
    }
  }
  return worst;
}
