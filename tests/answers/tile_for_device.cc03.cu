// SPDX-License-Identifier: Apache-2.0
// mistake: the square root is rounded to the nearest whole number, so up as often as down. 232448 bytes,
//   tile_for_device(1, 2, 1): the root of 116224 is 340.9, 341 is returned, and 341 * 341 * 2 = 232562 bytes do
//   not fit; 340 is right. Cutting down to a multiple of step mostly hides it.
// want: put your answer back: for 1 array of 2-byte elements and step 1, how many bytes do tiles of that width need?
#include "tile_for_device.h"

#include <cmath>

int tile_for_device(int arrays, int element_bytes, int step) {
  int dev = -1;
  if (cudaGetDevice(&dev) != cudaSuccess) return 0;

  int optin = 0;
  cudaDeviceGetAttribute(&optin, cudaDevAttrMaxSharedMemoryPerBlockOptin, dev);

  // arrays * T * T * element_bytes <= optin, solved for T
  const double elements = double(optin) / (double(arrays) * element_bytes);
  const int widest = (int)std::lround(std::sqrt(elements));

  return widest - widest % step;
}
