// SPDX-License-Identifier: Apache-2.0
// mistake: multiplies in int: arrays * tile * tile * element_bytes overflows for large tiles, the wrapped value
//   looks small, "fits", and becomes the best.
// want: What is 256 * 1024 * 1024 * 8, and what fits into an int? The result being stored in a size_t does not help:
//   the product is computed in the type of its operands.
#include "tile_for_device.h"

int tile_for_device(int arrays, int element_bytes, int step) {
  int device;
  cudaGetDevice(&device);
  int limit = 0;
  cudaDeviceGetAttribute(&limit, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);

  int best = 0;
  for (int tile = step; tile <= 1024; tile += step) {
    const int needed = arrays * tile * tile * element_bytes;
    if (needed <= limit) best = tile;
  }
  return best;
}
