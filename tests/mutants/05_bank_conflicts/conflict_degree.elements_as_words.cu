// SPDX-License-Identifier: Apache-2.0
// Wrong on purpose: the bank is that of the element's number, whatever its size.
#include "conflict_degree.h"

static int words_wanted(const WarpRequest& request, int first, int count, int bank) {
  int wanted[32];
  int found = 0;
  for (int lane = first; lane < first + count; ++lane) {
    const int element = request.address[lane] / request.element_bytes;
    if (element % 32 != bank) continue;
    bool known = false;
    for (int i = 0; i < found; ++i) known = known || wanted[i] == element;
    if (!known) wanted[found++] = element;
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
