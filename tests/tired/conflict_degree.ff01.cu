// SPDX-License-Identifier: Apache-2.0
// mistake: std::unique is called on words that are not sorted, and it removes only equal words that are next to
//   each other. With 4-byte elements and lanes at 0, 128, 0, 128, ... bank 0 is asked for the words 0 and 32, a
//   2-way conflict; this counts 32 words.
// want: Let two lanes that are not neighbours want the same word, and lane 1 between them another one of that
//   bank. What does std::unique leave of 0, 32, 0?
#include <algorithm>
#include <vector>

#include "conflict_degree.h"

static int words_wanted(const WarpRequest& request, int first, int count, int bank) {
  const int per_element = std::max(1, request.element_bytes / 4);

  std::vector<int> words;
  for (int lane = first; lane < first + count; ++lane) {
    for (int w = 0; w < per_element; ++w) {
      const int word = request.address[lane] / 4 + w;
      if (word % 32 == bank) words.push_back(word);
    }
  }
  // a word that several lanes want counts once
  words.erase(std::unique(words.begin(), words.end()), words.end());
  return static_cast<int>(words.size());
}

int conflict_degree(WarpRequest request) {
  int lanes_together = 32;
  if (request.element_bytes == 8) lanes_together = 16;
  if (request.element_bytes == 16) lanes_together = 8;

  int worst = 1;
  for (int first = 0; first < 32; first += lanes_together) {
    for (int bank = 0; bank < 32; ++bank) {
      worst = std::max(worst, words_wanted(request, first, lanes_together, bank));
    }
  }
  return worst;
}
