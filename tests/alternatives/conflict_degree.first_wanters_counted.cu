// SPDX-License-Identifier: Apache-2.0
// differs: no containers: a lane counts for a word only if no earlier lane of its group wants the same word; pairs of
// lanes are compared directly. Recursion over the halves of the warp until a group is served together.

#include "conflict_degree.h"

static int degree(const WarpRequest& r, int first, int lanes) {
  if (lanes * r.element_bytes > 128 && r.element_bytes > 4) {
    const int left = degree(r, first, lanes / 2), right = degree(r, first + lanes / 2, lanes / 2);
    return left > right ? left : right;
  }
  const int parts = r.element_bytes > 4 ? r.element_bytes >> 2 : 1;
  int counted[32] = {}, most = 1;
  for (int slot = 0; slot < lanes * parts; ++slot) {
    const int word = (r.address[first + slot / parts] >> 2) + slot % parts;
    bool new_word = true;
    for (int earlier = 0; earlier < slot; ++earlier)
      new_word &= (r.address[first + earlier / parts] >> 2) + earlier % parts != word;
    if (new_word && ++counted[word % 32] > most) most = counted[word % 32];
  }
  return most;
}

int conflict_degree(WarpRequest request) { return degree(request, 0, 32); }
