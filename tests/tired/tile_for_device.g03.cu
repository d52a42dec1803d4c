// SPDX-License-Identifier: Apache-2.0
// mistake: the square root is rounded to the nearest whole number instead of down. Where its fraction is one half or
//   more, and step divides the rounded number, the tiles returned do not fit into the block's shared memory.
// want: With 4-byte elements, one array, step 1 and room for 230 bytes: what does your formula return, and how many bytes do
//   tiles of that width need?

#include "tile_for_device.h"

#include <cmath>

// No loop: arrays * element_bytes * T * T <= available, solved for T.
int tile_for_device(int arrays, int element_bytes, int step) {
  int device = 0;
  if (cudaGetDevice(&device) != cudaSuccess) return 0;

  int available = 0;
  if (cudaDeviceGetAttribute(&available, cudaDevAttrMaxSharedMemoryPerBlockOptin, device) != cudaSuccess) return 0;

  const double bytes = static_cast<double>(arrays) * element_bytes;  // for each place of a tile
  const double widest = std::sqrt(available / bytes);
  // + 0.5, since a double may be 31.9999 where 32 is meant
  const int limit = static_cast<int>(widest + 0.5);
  return limit / step * step;
}
