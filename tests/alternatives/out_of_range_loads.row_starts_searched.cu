// SPDX-License-Identifier: Apache-2.0
// differs: keeps the start of every row in a std::vector and finds with std::upper_bound where an index really
// lands. Byte order mark at the start, Chinese comments.

#include <algorithm>
#include <vector>

#include "out_of_range_loads.h"

// 每一行在内存中的起始下标,最后一项是矩阵末尾之后的第一个下标。
static std::vector<long> row_starts(int width) {
  std::vector<long> starts(static_cast<std::size_t>(width) + 1);
  for (int r = 0; r <= width; ++r) starts[r] = static_cast<long>(r) * width;
  return starts;
}

BlockLoads out_of_range_loads(int width, int tile_width, int bx, int by, int phase) {
  const auto starts = row_starts(width);

  // 读 (row, col) 时实际落在哪里?
  const auto lands = [&](long row, long col) -> Load {
    const long index = row * width + col;
    if (index >= starts.back()) return PAST_THE_END;  // 矩阵之后
    const auto next = std::upper_bound(starts.begin(), starts.end(), index);
    const long found_row = next - starts.begin() - 1;
    const long found_col = index - starts[found_row];
    return found_row == row && found_col == col ? INSIDE : OTHER_ELEMENT;  // 同一个元素,还是别的元素
  };

  BlockLoads loads = {};
  for (int tx = 0; tx < tile_width; ++tx) {
    for (int ty = 0; ty < tile_width; ++ty) {
      loads.n[ty][tx] = lands(static_cast<long>(phase) * tile_width + ty, static_cast<long>(bx) * tile_width + tx);
      loads.m[ty][tx] = lands(static_cast<long>(by) * tile_width + ty, static_cast<long>(phase) * tile_width + tx);
    }
  }
  return loads;
}
