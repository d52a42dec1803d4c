// SPDX-License-Identifier: Apache-2.0
// mistake: computes T directly, but divides by element_bytes after the root instead of under it: a tile has T * T *
//   element_bytes bytes, and the result is too small for all elements of more than one byte.
// want: Put your T back in: arrays * T * T * element_bytes. With 2 arrays of floats, how much of the shared memory is
//   used? Which of the factors belong under the root?
#include <cmath>

#include "tile_for_device.h"

int tile_for_device(int arrays, int element_bytes, int step) {
  int device = 0;
  cudaGetDevice(&device);

  int optin = 0;
  cudaDeviceGetAttribute(&optin, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);

  // No loop needed. What one array may have:
  const double per_array = static_cast<double>(optin) / arrays;
  // a square with this area, in elements
  const int side = static_cast<int>(std::sqrt(per_array) / element_bytes);

  // down to a multiple of step (0 if not even one step fits)
  return side / step * step;
}
