// SPDX-License-Identifier: Apache-2.0
// mistake: a binary search over the multiples of step; when it ends, low is the first multiple that does not fit, and that
//   one is returned: one step too much, and step instead of 0 where nothing fits.
// want: When your loop has ended: does low * step fit, or is it the first that does not?
#include "tile_for_device.h"

int tile_for_device(int arrays, int element_bytes, int step) {
  int device = 0;
  cudaGetDevice(&device);
  int limit = 0;
  cudaDeviceGetAttribute(&limit, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
  const size_t available = limit;

  auto fits = [&](size_t tile) { return tile * tile * arrays * element_bytes <= available; };

  // Monotonic, so bisect.
  int low = 0;
  int high = 1024 / step;
  while (low < high) {
    const int mid = (low + high) / 2;
    if (fits(size_t(mid) * step)) {
      low = mid + 1;
    } else {
      high = mid;
    }
  }
  return low * step;
}
