// SPDX-License-Identifier: Apache-2.0
// Wrong on purpose: the list of words outlives its group of lanes, and a later group's words in it are not
// counted.
#include "conflict_degree.h"

int conflict_degree(WarpRequest request) {
  const int words_each = request.element_bytes > 4 ? request.element_bytes / 4 : 1;
  const int lanes_together = request.element_bytes > 4 ? 128 / request.element_bytes : 32;

  int wanted[32 * 4] = {}, all = 0;
  int worst = 1;
  for (int first = 0; first < 32; first += lanes_together) {
    int found[32] = {};
    for (int lane = first; lane < first + lanes_together; ++lane) {
      for (int k = 0; k < words_each; ++k) {
        const int word = request.address[lane] / 4 + k;
        bool known = false;
        for (int i = 0; i < all; ++i) known = known || wanted[i] == word;
        if (known) continue;
        wanted[all++] = word;
        ++found[word % 32];
      }
    }
    for (int bank = 0; bank < 32; ++bank) {
      if (found[bank] > worst) worst = found[bank];
    }
  }
  return worst;
}
