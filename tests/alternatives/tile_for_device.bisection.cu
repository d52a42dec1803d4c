// SPDX-License-Identifier: Apache-2.0
// differs: bisection over multiples of step; divides what is available instead of multiplying what is needed, so that
// nothing can overflow; cudaGetDeviceProperties instead of an attribute.

#include "tile_for_device.h"

int tile_for_device(int arrays, int element_bytes, int step) {
  int device = -1;
  cudaGetDevice(&device);
  cudaDeviceProp properties;
  cudaGetDeviceProperties(&properties, device);
  const unsigned long long elements = properties.sharedMemPerBlockOptin / static_cast<unsigned long long>(arrays) /
                                      static_cast<unsigned long long>(element_bytes);  // of one tile, at most

  unsigned long long fits = 0, does_not = 65536;  // in steps; 65536 squared is more than any device has
  while (does_not - fits > 1) {
    const unsigned long long middle = (fits + does_not) / 2;
    const unsigned long long side = middle * static_cast<unsigned long long>(step);
    (side < 65536 && side * side <= elements ? fits : does_not) = middle;
  }
  return static_cast<int>(fits) * step;
}
