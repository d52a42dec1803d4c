// SPDX-License-Identifier: Apache-2.0
//
// Chapter 3, dynamic shared memory. Since the launch says how large the tiles are, the program can choose
// them for the device it finds. This function runs on the host. Two places are marked TODO.
//
//   ./warplings check tile_for_device

#include "tile_for_device.h"

int tile_for_device(int arrays, int element_bytes, int step) {
  // TODO 1: ask the current device how many bytes of shared memory one block may have at most. The device
  // says three numbers about shared memory (per block, per block with opt-in, per multiprocessor): which is
  // meant? cudaGetDevice, and cudaGetDeviceProperties or cudaDeviceGetAttribute, tell.
  const size_t available = 0;

  int best = 0;
  for (int tile = step; tile <= 1024; tile += step) {
    // TODO 2: the bytes of all tiles of one block.
    const size_t needed = tile;

    if (needed <= available) best = tile;
  }
  return best;
}
