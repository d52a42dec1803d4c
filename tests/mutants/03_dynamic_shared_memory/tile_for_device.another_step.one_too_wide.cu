// SPDX-License-Identifier: Apache-2.0
// Wrong on purpose: the search ends at the first width that does not fit, and returns it.
#include "tile_for_device.h"

int tile_for_device(int arrays, int element_bytes, int step) {
  int device = 0;
  cudaGetDevice(&device);
  int available = 0;
  cudaDeviceGetAttribute(&available, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);

  int low = 1, high = 1024 / step + 1;
  while (low < high) {
    const int middle = (low + high) / 2;
    const size_t tile = static_cast<size_t>(middle) * step;
    if (arrays * tile * tile * element_bytes <= static_cast<size_t>(available)) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low * step;
}
