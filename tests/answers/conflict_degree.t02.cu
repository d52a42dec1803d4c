// SPDX-License-Identifier: Apache-2.0
// mistake: the recursion's second half begins at lane 16 whatever is divided, so that with elements of 16 bytes the
//   quarters 0, 2, 2 and 2 are looked at: lanes 8 to 15 and 24 to 31 never. element_bytes 16, lane 8 at address 0,
//   lane 9 at 128, ..., lane 15 at 896, all others at 0: the degree is 8; here it is 1. Elements of 8 bytes are right.
// want: with elements of 16 bytes, which four groups of lanes does your function come to? Write down first and lanes of
//   each call.
#include "conflict_degree.h"

#include <set>

static int together(const WarpRequest& q, int first, int lanes) {
  std::set<int> wanted[32];  // a set holds each word once
  for (int lane = first; lane != first + lanes; ++lane) {
    int byte = q.address[lane];
    const int stop = byte + q.element_bytes;
    do {
      wanted[byte / 4 % 32].insert(byte / 4);
      byte += 4;
    } while (byte < stop);
  }
  size_t most = 1;
  for (auto& s : wanted)
    if (s.size() > most) most = s.size();
  return static_cast<int>(most);
}

// Divides the lanes into halves until what they read fits through at once.
static int divide(const WarpRequest& q, int first, int lanes) {
  if (lanes * q.element_bytes <= 32 * 4) return together(q, first, lanes);
  const int a = divide(q, first, lanes / 2);
  const int b = divide(q, 16, lanes / 2);
  return a > b ? a : b;
}

int conflict_degree(WarpRequest request) {
  return divide(request, 0, 32);
}
