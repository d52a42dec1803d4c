// SPDX-License-Identifier: Apache-2.0
// mistake: per bank only the word found last is remembered: lanes that want the same word count once only if no
//   lane between them wanted another word of that bank (lanes that alternate between two words count 32).
// want: lanes 0, 2, 4, ... want word 0 and lanes 1, 3, 5, ... word 32: how many different words are that, and
//   what does your code remember when it comes to lane 2?
#include <algorithm>

#include "conflict_degree.h"

#define BANKS 32

// Words of the busiest bank for lanes first to last - 1.
static int degree_of_group(const WarpRequest& request, int first, int last) {
  int count[BANKS] = {};
  int word_of[BANKS];
  std::fill(word_of, word_of + BANKS, -1);

  for (int lane = first; lane < last; ++lane) {
    const int from = request.address[lane] / 4;
    const int to = (request.address[lane] + request.element_bytes - 1) / 4;
    for (int word = from; word <= to; ++word) {
      const int bank = word % BANKS;
      // The bank has this word at hand: a broadcast.
      if (word_of[bank] == word) continue;
      word_of[bank] = word;
      ++count[bank];
    }
  }
  return *std::max_element(count, count + BANKS);
}

int conflict_degree(WarpRequest request) {
  const int lanes = request.element_bytes <= 4 ? 32 : 128 / request.element_bytes;
  int worst = 1;
  for (int first = 0; first < 32; first += lanes) {
    worst = std::max(worst, degree_of_group(request, first, first + lanes));
  }
  return worst;
}
