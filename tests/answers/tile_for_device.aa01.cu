// SPDX-License-Identifier: Apache-2.0
// mistake: it asks device 0, not the current device. Where the program has chosen another one with cudaSetDevice,
//   and that one has another limit (device 0: 227 KiB, current device 1: 99 KiB; arrays 2, element_bytes 4, step 16:
//   160 instead of 112), the answer is that of the wrong device. With one device it is right.
// want: Whose limit do you get if the program has called cudaSetDevice(1) before?
#include "tile_for_device.h"

#include <cmath>

int tile_for_device(int arrays, int element_bytes, int step) {
  int bytes = 0;
  cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0);

  // T * T elements of each array: how large may T * T be? arrays * element_bytes is at most 2^20.
  const int area = bytes / (arrays * element_bytes);
  int side = (int)std::sqrt((double)area);
  while ((side + 1) * (side + 1) <= area) ++side;  // in case the root came out a bit too small
  while (side * side > area) --side;

  return side - side % step;
}
