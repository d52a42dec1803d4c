// SPDX-License-Identifier: Apache-2.0
// mistake: (1) the limit of a block is computed as the multiprocessor's shared memory less the reserved bytes;
//   that is the opt-in limit on new cards only (P100: 64 KB per multiprocessor, 48 KB for a block). (2) always
//   device 0 is asked, not the current one.
// want: which attribute is the limit of ONE block with opt-in, and need it be derived from another? First: which
//   device does the question mean when somebody called cudaSetDevice(1)?
#include "tile_for_device.h"

static int attribute(cudaDeviceAttr which) {
  int value = 0;
  cudaDeviceGetAttribute(&value, which, 0);
  return value;
}

int tile_for_device(int arrays, int element_bytes, int step) {
  // A block that is alone on its multiprocessor has all of it, except what the driver keeps.
  const size_t available = attribute(cudaDevAttrMaxSharedMemoryPerMultiprocessor) -
                           attribute(cudaDevAttrReservedSharedMemoryPerBlock);

  const size_t bytes_each = static_cast<size_t>(arrays) * element_bytes;
  size_t tile = 0;
  while (bytes_each * (tile + step) * (tile + step) <= available) {
    tile += step;
  }
  return static_cast<int>(tile);
}
