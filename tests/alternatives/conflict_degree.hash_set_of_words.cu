// SPDX-License-Identifier: Apache-2.0
// differs: std::unordered_set for the words, std::array for the counts, std::max_element. Byte order mark, Chinese
// comments, no newline at the end.

#include <algorithm>
#include <array>
#include <unordered_set>

#include "conflict_degree.h"

int conflict_degree(WarpRequest request) {
  const int step = request.element_bytes <= 4 ? 32 : 128 / request.element_bytes;  // 一起服务的线程数
  int answer = 1;
  for (const int* group = request.address; group != request.address + 32; group += step) {
    std::unordered_set<int> words;
    for (const int* a = group; a != group + step; ++a) {
      for (int end = *a + request.element_bytes, byte = *a; byte < end; byte += 4) words.insert(byte / 4);  // 窄元素只有一个字
    }
    std::array<int, 32> counts{};
    for (int word : words) counts[word % 32] += 1;
    answer = std::max(answer, *std::max_element(counts.begin(), counts.end()));
  }
  return answer;
}