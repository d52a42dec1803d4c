// SPDX-License-Identifier: Apache-2.0
// mistake: grants a broadcast only where all lanes of the group want the very same word; otherwise each lane that
//   wants a word of the bank counts, also where several want the same one. Lanes that read words 0, 0, 1, 1, 2, 2, ...
//   come out as a 2-way conflict.
// want: Lanes 0 and 1 read word 0, lanes 2 and 3 word 1, and so on. How many different words does bank 0 have to give?
//   What does your function say?
#include "conflict_degree.h"

static int words_per_element(const WarpRequest& request) {
  return request.element_bytes <= 4 ? 1 : request.element_bytes / 4;
}

// How many different words of `bank` do the lanes first, first + 1, ... first + count - 1 want?
static int words_wanted(const WarpRequest& request, int first, int count, int bank) {
  const int end = first + count;

  // broadcast: everybody reads one and the same address
  bool broadcast = true;
  for (int lane = first; lane < end; ++lane) {
    if (request.address[lane] / 4 != request.address[first] / 4) broadcast = false;
  }
  if (broadcast) return 1;

  int wanted = 0;
  for (int lane = first; lane < end; ++lane) {
    const int start = request.address[lane] / 4;
    for (int w = start; w < start + words_per_element(request); ++w) {
      if (w % 32 == bank) ++wanted;
    }
  }
  return wanted;
}

int conflict_degree(WarpRequest request) {
  const int lanes_together = 32 / words_per_element(request);

  int worst = 1;
  for (int first = 0; first < 32; first += lanes_together) {
    for (int bank = 0; bank < 32; ++bank) {
      const int words = words_wanted(request, first, lanes_together, bank);
      if (words > worst) worst = words;
    }
  }
  return worst;
}
