// SPDX-License-Identifier: Apache-2.0
// differs: plays the passes: in each, every bank hands out one word that is still wanted; the number of passes of the
// slowest group is the answer. std::map of std::set.

#include <map>
#include <set>

#include "conflict_degree.h"

int conflict_degree(WarpRequest request) {
  const int together = request.element_bytes == 16 ? 8 : request.element_bytes == 8 ? 16 : 32;
  int slowest = 1;
  for (int first = 0; first < 32; first += together) {
    std::map<int, std::set<int>> wanted;  // by bank
    for (int lane = first; lane < first + together; ++lane) {
      for (int byte = 0; byte < request.element_bytes; ++byte) {
        const int word = (request.address[lane] + byte) / 4;
        wanted[word % 32].insert(word);
      }
    }
    int passes = 0;
    while (!wanted.empty()) {
      ++passes;
      for (auto bank = wanted.begin(); bank != wanted.end();) {
        bank->second.erase(bank->second.begin());
        bank = bank->second.empty() ? wanted.erase(bank) : std::next(bank);
      }
    }
    slowest = passes > slowest ? passes : slowest;
  }
  return slowest;
}
