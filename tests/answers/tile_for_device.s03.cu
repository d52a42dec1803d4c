// SPDX-License-Identifier: Apache-2.0
// mistake: Two mistakes: the bytes that the system reserves for each block are taken off the opt-in limit, which leaves
//   them out already: with 232448 bytes and 1024 reserved, arrays = 1, element_bytes = 4, step = 1, 241 fits (232324
//   bytes), but the answer is 240. And the search takes for granted that T = step fits, and never answers 0:
//   arrays = element_bytes = 1024, step = 1 needs 1 MiB and gets 1.
// want: What does your search answer if not even one step fits? Go through it with arrays = element_bytes = 1024.
#include "tile_for_device.h"

static int attribute(cudaDeviceAttr which) {
  int device, value;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&value, which, device);
  return value;
}

int tile_for_device(int arrays, int element_bytes, int step) {
  const long long available =
      attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin) -
      attribute(cudaDevAttrReservedSharedMemoryPerBlock);  // the system's own part of each block's memory

  // Halve the range: lo steps fit, hi steps do not.
  long long lo = 1;
  long long hi = 65536 / step + 1;
  while (hi - lo > 1) {
    const long long mid = (lo + hi) / 2;
    const long long t = mid * step;
    if (t * t * arrays * element_bytes <= available)
      lo = mid;
    else
      hi = mid;
  }
  return int(lo * step);
}
