// SPDX-License-Identifier: Apache-2.0
// mistake: computes the root instead of trying, and rounds it to the nearest whole number. Where the fraction is a half
//   or more and the number above is a multiple of step (with step 1 in about half of all cases), the tile is one step
//   too large for the device.
// want: Put your T back into arrays * T * T * element_bytes: how many bytes is that, and how many are there? What does
//   + 0.5 do to a root of 120.6?
#include <cmath>

#include "tile_for_device.h"

int tile_for_device(int arrays, int element_bytes, int step) {
  int device = 0;
  cudaGetDevice(&device);
  int available = 0;
  cudaDeviceGetAttribute(&available, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);

  // arrays * T^2 * element_bytes = available, solved for T
  const double squares = (double)available / arrays / element_bytes;
  const int root = (int)(std::sqrt(squares) + 0.5);  // floating point is not exact
  return root - root % step;
}
