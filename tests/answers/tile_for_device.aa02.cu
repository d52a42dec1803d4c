// SPDX-License-Identifier: Apache-2.0
// mistake: each tile's bytes are rounded up to a multiple of 16; the contract counts arrays * T * T * element_bytes,
//   no padding. With 227 KiB (232448 bytes): arrays 1000, element_bytes 1, step 1: T = 15 needs 225000 bytes and
//   fits, but counts as 240000, and 14 is returned.
// want: How many bytes do 1000 tiles of 15 x 15 elements of one byte need by the header, and how many do you count?
#include "tile_for_device.h"

namespace {

// each tile starts at a multiple of 16 bytes, so that vector loads work for all of them
unsigned long long block_bytes(unsigned long long arrays, unsigned long long element, unsigned long long t) {
  const unsigned long long one = (t * t * element + 15) & ~15ull;
  return arrays * one;
}

}  // namespace

int tile_for_device(int arrays, int element_bytes, int step) {
  int device;
  cudaGetDevice(&device);
  cudaDeviceProp prop;
  cudaGetDeviceProperties(&prop, device);

  int tile = 0;
  while (block_bytes(arrays, element_bytes, tile + step) <= prop.sharedMemPerBlockOptin) tile += step;
  return tile;
}
