// SPDX-License-Identifier: Apache-2.0
// mistake: the device is asked once and the answer is kept in a static for all later calls; the current device may be
//   another one by then. A first call on a device with 101376 bytes, then cudaSetDevice to one with 232448:
//   tile_for_device(1, 4, 1) is 241 there and 159 is returned. The two divisions one after the other are right.
// want: a program calls your function, changes the current device and calls it again: which lines run the second time?
#include "tile_for_device.h"

static size_t most_per_block() {
  int current;
  cudaGetDevice(&current);
  cudaDeviceProp prop;
  cudaGetDeviceProperties(&prop, current);
  return prop.sharedMemPerBlockOptin;
}

int tile_for_device(int arrays, int element_bytes, int step) {
  // asking for all properties takes long, so do it only once
  static const size_t bytes = most_per_block();

  // elements that one tile may have
  const size_t elements = bytes / element_bytes / arrays;

  // from the top down: the first that fits is the largest
  for (int steps = 1024 / step; steps >= 1; --steps) {
    const size_t t = (size_t)steps * step;
    if (t * t <= elements) return (int)t;
  }
  return 0;
}
