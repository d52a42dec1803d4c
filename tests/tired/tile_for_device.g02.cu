// SPDX-License-Identifier: Apache-2.0
// mistake: the product is computed in int and only its result becomes a size_t. With large arguments it overflows: 1024
//   arrays of 1024 bytes with tile 64 give 2^32, which comes out as 0 and seems to fit, so that tiles far too
//   large are returned.
// want: Take 1024 arrays, 1024 bytes and step 64. How many bytes is that, and what is the largest value that the type
//   in which you multiply can hold? When does your cast happen?

#include "tile_for_device.h"

int tile_for_device(int arrays, int element_bytes, int step) {
  int device = 0;
  cudaGetDevice(&device);

  cudaDeviceProp prop;
  cudaGetDeviceProperties(&prop, device);
  const size_t available = prop.sharedMemPerBlockOptin;

  int best = 0;
  for (int tile = step; tile <= 1024; tile += step) {
    // may be more than an int holds: size_t
    const size_t needed = (size_t)(arrays * element_bytes * tile * tile);
    if (needed <= available) {
      best = tile;
    }
  }
  return best;
}
