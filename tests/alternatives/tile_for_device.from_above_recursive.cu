// SPDX-License-Identifier: Apache-2.0
// differs: goes down from the largest multiple of step by recursion. Byte order mark, Chinese comments, no newline at
// the end.

#include "tile_for_device.h"

// 从大到小:第一个放得下的就是答案。
static int descend(int side, int step, double limit) {
  if (side <= 0) return 0;
  const double places = static_cast<double>(side) * side;  // 小于 2^53,精确
  return places <= limit ? side : descend(side - step, step, limit);
}

int tile_for_device(int arrays, int element_bytes, int step) {
  int current;
  cudaGetDevice(&current);
  cudaDeviceProp p = {};
  cudaGetDeviceProperties(&p, current);
  const unsigned long long one = 1ull * arrays * element_bytes;
  const unsigned long long elements = p.sharedMemPerBlockOptin / one;
  return descend(4096 / step * step, step, static_cast<double>(elements));
}