// SPDX-License-Identifier: Apache-2.0
// mistake: Two mistakes: the reserved kilobyte of each block is taken off the opt-in limit, which the limit
//   has left out already: 232448 bytes, arrays 1, element_bytes 4, step 1: 241 * 241 * 4 = 232324 fits, the
//   answer is 240. And the product is made of ints and only then becomes a size_t: arrays 1024, element_bytes
//   1024, step 1024: 2^40 bytes wrap round to 0, which seems to fit, and the answer is 1024 and not 0.
// want: With arrays = element_bytes = step = 1024, how many bytes does one block need? What does your product
//   give, and in which type is it computed? (Then: is the reserved kilobyte still inside the number that the
//   device says for opt-in?)
#include "tile_for_device.h"

int tile_for_device(int arrays, int element_bytes, int step) {
  int device, optin, reserved;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&optin, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
  // the system keeps a little of it in each block for itself
  cudaDeviceGetAttribute(&reserved, cudaDevAttrReservedSharedMemoryPerBlock, device);
  const size_t available = optin - reserved;

  // from the largest multiple of step downwards, the first that fits
  for (int tile = 1024 / step * step; tile > 0; tile -= step) {
    const size_t needed = arrays * element_bytes * tile * tile;
    if (needed <= available) return tile;
  }
  return 0;
}
