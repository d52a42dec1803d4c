// SPDX-License-Identifier: Apache-2.0
// Wrong on purpose: a kilobyte is taken off that the limit does not hold.
#include "tile_for_device.h"

int tile_for_device(int arrays, int element_bytes, int step) {
  int device = 0;
  cudaGetDevice(&device);
  int available = 0;
  cudaDeviceGetAttribute(&available, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);

  available -= 1024;
  int best = 0;
  for (int tile = step; tile <= 1024; tile += step) {
    const size_t needed = static_cast<size_t>(arrays) * tile * tile * element_bytes;
    if (needed <= static_cast<size_t>(available)) best = tile;
  }
  return best;
}
