// SPDX-License-Identifier: Apache-2.0
// mistake: takes off another 1 KB for what the system reserves in each block; the opt-in limit already is what a block
//   may ask for, so that the result is sometimes a step too small.
// want: What does the opt-in limit say: with or without the reserved 1 KB? It is the most a block may have; nothing is
//   to be subtracted from it.
#include "tile_for_device.h"

int tile_for_device(int arrays, int element_bytes, int step) {
  int device = 0;
  cudaGetDevice(&device);

  int most = 0;
  cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
  // CUDA keeps 1 KB of each block for itself
  const long long available = most - 1024;

  const long long per_place = 1LL * arrays * element_bytes;

  // go up until it does not fit any more
  long long tile = 0;
  while (per_place * (tile + step) * (tile + step) <= available) {
    tile += step;
  }
  return static_cast<int>(tile);
}
