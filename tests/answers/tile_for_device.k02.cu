// SPDX-License-Identifier: Apache-2.0
// mistake: doubles the tile as long as it fits: it tries step, 2 step, 4 step, 8 step, and passes over the multiples in
//   between, such as 3 step, of which a larger one may fit.
// want: Which widths does your loop try with step = 16? Is 48 a multiple of 16?
#include "tile_for_device.h"

static size_t bytes_of(int arrays, int element_bytes, int tile) {
  return (size_t)arrays * element_bytes * tile * tile;
}

int tile_for_device(int arrays, int element_bytes, int step) {
  int dev;
  cudaGetDevice(&dev);
  cudaDeviceProp prop;
  cudaGetDeviceProperties(&prop, dev);
  const size_t limit = prop.sharedMemPerBlockOptin;

  int tile = step;
  if (bytes_of(arrays, element_bytes, tile) > limit) return 0;  // not even one step

  // grow while the next one fits
  while (bytes_of(arrays, element_bytes, tile * 2) <= limit) {
    tile *= 2;
  }
  return tile;
}
