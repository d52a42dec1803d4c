// SPDX-License-Identifier: Apache-2.0
// mistake: The bytes of each tile are rounded up to a multiple of 16, which nobody asked for: the tiles lie
//   close together, and T gets too small where the padding decides. 232448 bytes, arrays 1000, element_bytes
//   1, step 1: T = 15 needs 225000 bytes and fits; the answer counts 240 * 1000 = 240000 and says 14. (101376
//   bytes: 9 and not 10.) The search by halves is right.
// want: How many bytes do 1000 tiles of 15 x 15 elements of one byte need? And how many does your function
//   count?
#include "tile_for_device.h"

// Bytes of one block: every tile begins on a 16 byte boundary, as the hardware likes it.
static unsigned long long block_bytes(unsigned long long t, int arrays, int element_bytes) {
  const unsigned long long one = t * t * element_bytes;
  const unsigned long long aligned = (one + 15) / 16 * 16;
  return aligned * arrays;
}

int tile_for_device(int arrays, int element_bytes, int step) {
  int device = 0;
  cudaGetDevice(&device);
  cudaDeviceProp prop;
  cudaGetDeviceProperties(&prop, device);
  const unsigned long long limit = prop.sharedMemPerBlockOptin;

  // fits: low * step.  does not fit: high * step.
  int low = 0;
  int high = 1024 / step + 1;
  while (high - low > 1) {
    const int middle = (low + high) / 2;
    if (block_bytes(middle * step, arrays, element_bytes) <= limit) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return low * step;
}
