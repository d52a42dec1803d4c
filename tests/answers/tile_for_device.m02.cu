// SPDX-License-Identifier: Apache-2.0
// mistake: counts down from 1024 in steps of step: where step does not divide 1024, none of the widths that it tries is
//   a multiple of step.
// want: Which widths does your loop try with step 24? 1024, 1000, 976, ...: are they multiples of 24? Begin at the
//   largest multiple of step.
#include "tile_for_device.h"

static size_t block_bytes(size_t arrays, size_t element_bytes, size_t tile) {
  return arrays * element_bytes * tile * tile;
}

int tile_for_device(int arrays, int element_bytes, int step) {
  int dev;
  cudaGetDevice(&dev);
  cudaDeviceProp prop;
  cudaGetDeviceProperties(&prop, dev);
  const size_t limit = prop.sharedMemPerBlockOptin;

  // from above: the first that fits is the largest
  for (int tile = 1024; tile >= step; tile -= step) {
    if (block_bytes(arrays, element_bytes, tile) <= limit) {
      return tile;
    }
  }
  return 0;
}
