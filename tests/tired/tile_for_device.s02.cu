// SPDX-License-Identifier: Apache-2.0
// mistake: T is doubled from step on, so that only step, 2 step, 4 step, 8 step, ... are tried, not every multiple of
//   step. With 232448 bytes, arrays = 2, element_bytes = 4, step = 16: 160 fits (204800 bytes), but the answer is 128.
//   Limit, types and the 0 where nothing fits are right.
// want: Which widths does your loop try for step = 16? Which widths does the contract allow?
#include "tile_for_device.h"

#include <cstdint>

int tile_for_device(int arrays, int element_bytes, int step) {
  int device = 0;
  int limit = 0;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&limit, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);

  auto fits = [&](std::int64_t t) { return std::int64_t{arrays} * element_bytes * t * t <= limit; };

  std::int64_t tile = step;
  if (!fits(tile)) return 0;
  // Grow while there is room.
  while (fits(tile + tile)) tile += tile;
  return static_cast<int>(tile);
}
