// SPDX-License-Identifier: Apache-2.0
// mistake: the bytes that the system reserves for each block are subtracted, but the opt-in limit is already what the
//   block itself may have. 232448 bytes with opt-in, 1024 reserved: tile_for_device(1, 4, 1) is 241 (232324
//   bytes fit) and 240 is returned.
// want: which of the numbers that the device says already leaves the reserved bytes out? Compare the three on one device.
#include "tile_for_device.h"

static int ask(cudaDeviceAttr what) {
  int device = 0, value = 0;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&value, what, device);
  return value;
}

int tile_for_device(int arrays, int element_bytes, int step) {
  // what a block may have with opt-in, less what the driver keeps of each block for itself
  const long long available =
      ask(cudaDevAttrMaxSharedMemoryPerBlockOptin) - ask(cudaDevAttrReservedSharedMemoryPerBlock);

  const long long per_element = 1LL * arrays * element_bytes;
  int tile = 0;
  while (per_element * (tile + step) * (tile + step) <= available) tile += step;
  return tile;
}
