// SPDX-License-Identifier: Apache-2.0
// Wrong on purpose: multiplies in an int, which overflows.
#include "tile_for_device.h"

int tile_for_device(int arrays, int element_bytes, int step) {
  int device = 0;
  cudaGetDevice(&device);
  int available = 0;
  cudaDeviceGetAttribute(&available, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);

  int best = 0;
  for (int tile = step; tile <= 1024; tile += step) {
    const int needed = arrays * tile * tile * element_bytes;
    if (needed <= available) best = tile;
  }
  return best;
}
