// SPDX-License-Identifier: Apache-2.0
// mistake: computes the width as a square root and rounds it to the nearest integer, not down. Where the root's
//   fraction is a half or more the answer may be one too large to fit (232448 bytes, 2 arrays of 8 bytes,
//   step 1: 121 in place of 120).
// want: The root is often no integer. If it is 120.53, do tiles of 121 fit? Check your answer by computing
//   the bytes that they need.

#include "tile_for_device.h"

#include <cmath>

int tile_for_device(int arrays, int element_bytes, int step) {
  int device = 0;
  cudaGetDevice(&device);

  int available = 0;
  cudaDeviceGetAttribute(&available, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);

  // arrays * element_bytes * T * T = available, solved for T. No loop needed.
  const double elements = static_cast<double>(available) / (static_cast<double>(arrays) * element_bytes);
  const long widest = std::lround(std::sqrt(elements));

  // down to a multiple of step; 0 if not even one step fits
  return static_cast<int>(widest) / step * step;
}
