// SPDX-License-Identifier: Apache-2.0
// mistake: counts the lanes that come to a bank, not the different words that they want: a broadcast of one word to
//   all lanes becomes a 32-way conflict.
// want: All 32 lanes read the same float: how many different words does the bank have to give? Words that several
//   lanes want count once.
#include "conflict_degree.h"

static int words_wanted(const WarpRequest& request, int first, int count, int bank) {
  int words = 0;
  for (int lane = first; lane < first + count; ++lane) {
    const int begin = request.address[lane] / 4;
    const int end = (request.address[lane] + request.element_bytes - 1) / 4;
    for (int word = begin; word <= end; ++word) {
      if (word % 32 == bank) ++words;
    }
  }
  return words;
}

int conflict_degree(WarpRequest request) {
  int lanes_together = 32;
  if (request.element_bytes == 8) lanes_together = 16;
  if (request.element_bytes == 16) lanes_together = 8;

  int worst = 1;
  for (int first = 0; first < 32; first += lanes_together) {
    for (int bank = 0; bank < 32; ++bank) {
      const int words = words_wanted(request, first, lanes_together, bank);
      if (words > worst) worst = words;
    }
  }
  return worst;
}
