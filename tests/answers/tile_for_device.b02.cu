// SPDX-License-Identifier: Apache-2.0
// mistake: the bytes are multiplied as int: for wide elements and many arrays the product overflows at large
//   tiles (64 arrays of 64 bytes: 1024 * 1024 * 4096 is 0 in 32 bits), and such a tile seems to fit.
// want: how many bytes are 64 arrays of 64-byte elements at T = 1024, and what does a 32-bit int make of that
//   number? Look at the type in which the product is computed, not at the one it is stored in.
#include "tile_for_device.h"

#define LARGEST_TILE 1024

int tile_for_device(int arrays, int element_bytes, int step) {
  int device = 0;
  cudaGetDevice(&device);
  int available = 0;
  cudaDeviceGetAttribute(&available, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);

  // From the largest down: the first that fits is the answer.
  for (int tile = LARGEST_TILE / step * step; tile > 0; tile -= step) {
    const size_t needed = tile * tile * arrays * element_bytes;
    if (needed <= static_cast<size_t>(available)) return tile;
  }
  return 0;
}
