// SPDX-License-Identifier: Apache-2.0
// Wrong on purpose: looks at the bank that most lanes want, though they may want one word.
#include "conflict_degree.h"

int conflict_degree(WarpRequest request) {
  const int words_each = request.element_bytes > 4 ? request.element_bytes / 4 : 1;
  const int lanes_together = request.element_bytes > 4 ? 128 / request.element_bytes : 32;

  int worst = 1;
  for (int first = 0; first < 32; first += lanes_together) {
    int wanted[32][32 * 4] = {};
    int found[32] = {}, lanes[32] = {};
    for (int lane = first; lane < first + lanes_together; ++lane) {
      for (int k = 0; k < words_each; ++k) {
        const int word = request.address[lane] / 4 + k, bank = word % 32;
        bool known = false;
        for (int i = 0; i < found[bank]; ++i) known = known || wanted[bank][i] == word;
        if (!known) wanted[bank][found[bank]++] = word;
        ++lanes[bank];
      }
    }
    int most = 0;
    for (int bank = 1; bank < 32; ++bank) {
      if (lanes[bank] > lanes[most]) most = bank;
    }
    if (found[most] > worst) worst = found[most];
  }
  return worst;
}
