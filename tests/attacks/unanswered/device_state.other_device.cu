// SPDX-License-Identifier: Apache-2.0
// exercise: tile_for_device
// verdict: not passed
// must not: grader_fault; pass
// Answers for device 0, whatever the current device is.

#include "tile_for_device.h"

int tile_for_device(int arrays, int element_bytes, int step) {
  int device = 0;
  cudaSetDevice(0);
  // Of the three numbers this is the one for a single block. sharedMemPerBlock (48 KB on every card of the
  // last ten years) is what a block gets without asking; the multiprocessor's is for all its blocks together,
  // and from compute capability 8.0 on one kilobyte of it a block is the driver's.
  int available = 0;
  cudaDeviceGetAttribute(&available, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);

  // Bytes grow with the square of the tile's width; a loop is exact where a square root would have to be
  // rounded.
  int best = 0;
  for (int tile = step; tile <= 1024; tile += step) {
    const size_t needed = static_cast<size_t>(arrays) * tile * tile * element_bytes;
    if (needed <= static_cast<size_t>(available)) best = tile;
  }
  return best;
}
