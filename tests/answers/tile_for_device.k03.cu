// SPDX-License-Identifier: Apache-2.0
// mistake: the binary search ends at the first multiple of step that does not fit, and returns it: one step too many, and
//   step instead of 0 where nothing fits.
// want: When your search ends: does the tile of lo steps fit? Go through it with a device on which not even one step
//   fits.
#include "tile_for_device.h"

int tile_for_device(int arrays, int element_bytes, int step) {
  int device = 0;
  cudaGetDevice(&device);
  int optin = 0;
  cudaDeviceGetAttribute(&optin, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);

  auto fits = [&](size_t steps) {
    const size_t side = steps * step;
    return side * side * arrays * element_bytes <= static_cast<size_t>(optin);
  };

  // binary search for the number of steps; 0 steps always fit, 1025 never do
  int lo = 0;
  int hi = 1025;
  while (lo < hi) {
    const int mid = (lo + hi) / 2;
    if (fits(mid)) {
      lo = mid + 1;
    } else {
      hi = mid;
    }
  }
  return lo * step;
}
