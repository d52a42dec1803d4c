// SPDX-License-Identifier: Apache-2.0
// mistake: Two mistakes: what is counted are different elements' addresses, not different words: 32 lanes that read the
//   bytes 0 to 31 (element_bytes 1) want words 0 to 7, one from each bank, so 1; the student counts 4. And worst is set
//   anew for each group, so that the last group's result is returned: 8 bytes, lanes 0 to 15 at 256 x lane (16-way),
//   lanes 16 to 31 all at 0: the answer is 16, the student's 1.
// want: Four lanes read the four bytes of one word. How many words do they want from its bank? What is in your set then?
#include <algorithm>
#include <set>
#include <vector>

#include "conflict_degree.h"

int conflict_degree(WarpRequest request) {
  const int lanes_together = std::min(32, 128 / request.element_bytes);
  const int words_of_element = std::max(1, request.element_bytes / 4);

  int worst = 1;
  for (int first = 0; first < 32; first += lanes_together) {
    std::vector<std::set<int>> banks(32);
    for (int lane = first; lane < first + lanes_together; ++lane) {
      const int address = request.address[lane];
      for (int w = 0; w < words_of_element; ++w) {
        banks[(address / 4 + w) % 32].insert(address);  // a set keeps each only once
      }
    }
    worst = 1;
    for (const auto& bank : banks) {
      worst = std::max<int>(worst, bank.size());
    }
  }
  return worst;
}
