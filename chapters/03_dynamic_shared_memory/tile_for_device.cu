// SPDX-License-Identifier: Apache-2.0
//
// Chapter 3, dynamic shared memory. The launch says how large the tiles are, so the program can choose their
// size for the device it runs on. This function runs on the host. Two places are marked TODO.
//
//   ./warplings check tile_for_device

#include "tile_for_device.h"

int tile_for_device(int arrays, int element_bytes, int step) {
  // TODO 1: ask the current device how many bytes of shared memory one block can have at most. The device
  // reports three numbers: per block, per block with opt-in, and per multiprocessor. Which one do you need?
  // Use cudaGetDevice, and cudaGetDeviceProperties or cudaDeviceGetAttribute.
  const size_t available = 0;

  // No device has room for a tile that is wider than 1024 elements.
  int best = 0;
  for (int tile = step; tile <= 1024; tile += step) {
    // TODO 2: how many bytes do all tiles of one block need?
    const size_t needed = tile;

    if (needed <= available) best = tile;
  }
  return best;
}
