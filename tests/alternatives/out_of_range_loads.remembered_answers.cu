// SPDX-License-Identifier: Apache-2.0
// differs: an extra answer: std::valarray, a std::unordered_map that remembers answers from call to
// call (thread_local), std::variant for what a load gives.

#include <unordered_map>
#include <variant>
#include <valarray>

#include "out_of_range_loads.h"

struct Nothing {};
struct Elsewhere {};
using Found = std::variant<Elsewhere, float, Nothing>;

static Found look(long long row, long long col, long long width) {
  if (row < width && col < width) return 1.0f;
  if (row * width + col < width * width) return Elsewhere{};
  return Nothing{};
}

static Load remembered(long long row, long long col, long long width) {
  thread_local std::unordered_map<unsigned long long, Load> memory;
  const unsigned long long key = (static_cast<unsigned long long>(width) * 65536 + row) * 65536 + col;
  const auto [place, is_new] = memory.try_emplace(key, INSIDE);
  if (is_new) {
    const Found found = look(row, col, width);
    if (std::holds_alternative<Elsewhere>(found)) place->second = OTHER_ELEMENT;
    if (std::holds_alternative<Nothing>(found)) place->second = PAST_THE_END;
  }
  return place->second;
}

BlockLoads out_of_range_loads(int width, int tile_width, int bx, int by, int phase) {
  const std::valarray<int> origin = std::valarray<int>{bx, by, phase} * tile_width;
  BlockLoads loads = {};
  for (int ty = 0; ty < tile_width; ++ty)
    for (int tx = 0; tx < tile_width; ++tx) {
      loads.m[ty][tx] = remembered(origin[1] + ty, origin[2] + tx, width);
      loads.n[ty][tx] = remembered(origin[2] + ty, origin[0] + tx, width);
    }
  return loads;
}
