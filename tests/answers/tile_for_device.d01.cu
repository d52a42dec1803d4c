// SPDX-License-Identifier: Apache-2.0
// mistake: 1. takes the driver's kilobyte (reservedSharedMemPerBlock) away from sharedMemPerBlockOptin, which is already
//   without it: tiles that just fit are refused. 2. asks device 0, not the current one.
// want: The opt-in number: is that what a block may have, or what it must share with the driver? (Then: which device does
//   the program run on, if someone called cudaSetDevice(1)?)
#include "tile_for_device.h"

int tile_for_device(int arrays, int element_bytes, int step) {
  cudaDeviceProp prop;
  cudaGetDeviceProperties(&prop, 0);

  // One kilobyte of each block's shared memory is the driver's.
  const size_t available = prop.sharedMemPerBlockOptin - prop.reservedSharedMemPerBlock;

  int best = 0;
  for (int tile = step; tile <= 1024; tile += step) {
    const size_t needed = size_t(arrays) * size_t(element_bytes) * tile * tile;
    if (needed > available) break;
    best = tile;
  }
  return best;
}
