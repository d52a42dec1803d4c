// SPDX-License-Identifier: Apache-2.0
// mistake: Two mistakes: what the system reserves for each block (1024 bytes) is taken off the opt-in limit,
//   which does not contain it: with 232448 bytes, arrays = 1, element_bytes = 4, step = 1 the answer is 240
//   instead of 241 (4 * 241 * 241 = 232324). And the bytes are counted in 32 bits: with arrays = 64,
//   element_bytes = 64, step = 1024 they are 2^32, which becomes 0, and the answer is 1024 instead of 0.
// want: work out the bytes for arrays = 64, element_bytes = 64 and T = 1024. What does your variable hold?
#include "tile_for_device.h"

int tile_for_device(int arrays, int element_bytes, int step) {
  int device = -1;
  cudaGetDevice(&device);

  int optin = 0, reserved = 0;
  cudaDeviceGetAttribute(&optin, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
  cudaDeviceGetAttribute(&reserved, cudaDevAttrReservedSharedMemoryPerBlock, device);
  const unsigned available = optin - reserved;  // the driver keeps a little for itself

  // From the widest downwards: the first one that fits is the answer.
  for (int tile = 1024 / step * step; tile > 0; tile -= step) {
    const unsigned needed = 1u * arrays * element_bytes * tile * tile;
    if (needed <= available) return tile;
  }
  return 0;
}
