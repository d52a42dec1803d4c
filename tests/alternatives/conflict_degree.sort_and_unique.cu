// SPDX-License-Identifier: Apache-2.0
// differs: words in a std::vector, sorted and made unique, then a histogram of banks. Windows line ends.

#include <algorithm>
#include <vector>

#include "conflict_degree.h"

int conflict_degree(WarpRequest request) {
  const int words_each = std::max(request.element_bytes, 4) / 4;
  const int groups = words_each;  // 1, 2 or 4
  int worst = 0;
  for (int g = 0; g < groups; ++g) {
    std::vector<int> words;
    words.reserve(32);
    for (int lane = g * 32 / groups; lane != (g + 1) * 32 / groups; ++lane)
      for (int w = 0; w != words_each; ++w) words.push_back(request.address[lane] / 4 + w);
    std::sort(words.begin(), words.end());
    words.erase(std::unique(words.begin(), words.end()), words.end());
    int histogram[32] = {};
    for (const int word : words) worst = std::max(worst, ++histogram[word & 31]);
  }
  return worst;
}
