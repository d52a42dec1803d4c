// SPDX-License-Identifier: Apache-2.0
// Wrong on purpose: the passes of all groups are added up.
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
  const int lanes_together = request.element_bytes > 4 ? 128 / request.element_bytes : 32;

  int total = 0;
  for (int first = 0; first < 32; first += lanes_together) {
    int worst = 1;
    for (int bank = 0; bank < 32; ++bank) {
      const int words = words_wanted(request, first, lanes_together, bank);
      if (words > worst) worst = words;
    }
    total += worst;
  }
  return total;
}
