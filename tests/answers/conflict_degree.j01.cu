// SPDX-License-Identifier: Apache-2.0
// mistake: counts, for each lane, the other lanes that want another word of the same bank, and adds one. Lanes that
//   want the lane's own word are left out, but of the others several may want one and the same word, which counts once.
//   Half a warp on word 0 and half on word 32 gives 17 instead of 2. Right where no word is shared, or all share one.
// want: Lane 0 wants word 0, lanes 1 and 2 both want word 32: how many different words of bank 0 are that, and how many
//   does your function count? What does it count, words or lanes?
#include "conflict_degree.h"

// The word of `bank` that a lane wants; -1 where it wants none. An element never has two words of one bank.
static int word_in_bank(const WarpRequest& request, int lane, int bank) {
  const int from = request.address[lane] / 4;
  const int to = (request.address[lane] + request.element_bytes - 1) / 4;
  for (int word = from; word <= to; ++word) {
    if (word % 32 == bank) return word;
  }
  return -1;
}

// How many different words of `bank` do the lanes first, first + 1, ... first + count - 1 want?
static int words_wanted(const WarpRequest& request, int first, int count, int bank) {
  int most = 0;
  for (int me = first; me < first + count; ++me) {
    const int mine = word_in_bank(request, me, bank);
    if (mine < 0) continue;

    int ways = 1;
    for (int other = first; other < first + count; ++other) {
      const int theirs = word_in_bank(request, other, bank);
      // same word: broadcast, no conflict
      if (theirs >= 0 && theirs != mine) ++ways;
    }
    if (ways > most) most = ways;
  }
  return most;
}

int conflict_degree(WarpRequest request) {
  const int size = request.element_bytes;
  const int lanes_together = size == 16 ? 8 : size == 8 ? 16 : 32;

  int worst = 1;
  for (int first = 0; first < 32; first += lanes_together) {
    for (int bank = 0; bank < 32; ++bank) {
      const int words = words_wanted(request, first, lanes_together, bank);
      if (words > worst) worst = words;
    }
  }
  return worst;
}
