// SPDX-License-Identifier: Apache-2.0
// mistake: the lanes are dealt out to the groups in turn (lane % groups), where the contract has lanes 0 to 15 and 16
//   to 31, or quarters of 8 neighbours, together. element_bytes 8, address[lane] = 8 * lane: the answer is 1, but the
//   even lanes want words 0, 4, ..., 60 and lanes 0 and 16 meet in bank 0: the code says 2. Counting only the first
//   word of each element is right: elements are aligned, so the other words meet exactly where the first ones do.
// want: Which lanes does your second group hold for elements of 8 bytes, and which does the contract name?
#include "conflict_degree.h"

#include <algorithm>
#include <set>

int conflict_degree(WarpRequest request) {
  const int groups = std::max(1, request.element_bytes / 4);

  int degree = 1;
  for (int group = 0; group < groups; ++group) {
    std::set<int> wanted[32];
    for (int lane = group; lane < 32; lane += groups) {
      // The words after the first lie beside it, so they collide when it does.
      const int word = request.address[lane] >> 2;
      wanted[word & 31].insert(word);
    }
    for (const auto& words : wanted) {
      degree = std::max(degree, static_cast<int>(words.size()));
    }
  }
  return degree;
}
