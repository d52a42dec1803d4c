// SPDX-License-Identifier: Apache-2.0
// mistake: also stops where tile * tile exceeds the threads that a block may have (1024): no tile gets wider than 32, though
//   the block has step x step threads whatever the tile is.
// want: How many threads has a block whose tile is 64 wide, with step 16? Read again what the header says about threads.
#include "tile_for_device.h"

int tile_for_device(int arrays, int element_bytes, int step) {
  int device;
  cudaGetDevice(&device);
  cudaDeviceProp prop;
  cudaGetDeviceProperties(&prop, device);

  const size_t available = prop.sharedMemPerBlockOptin;

  int best = 0;
  for (int tile = step; tile <= 1024; tile += step) {
    if (tile * tile > prop.maxThreadsPerBlock) break;  // such a block cannot be launched
    const size_t needed = size_t(arrays) * element_bytes * tile * tile;
    if (needed <= available) best = tile;
  }
  return best;
}
