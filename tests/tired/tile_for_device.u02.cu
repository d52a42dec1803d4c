// SPDX-License-Identifier: Apache-2.0
// mistake: asks device 0, not the current device. With two devices, say device 0 with 232448 bytes and device 1 with
//   65536, after cudaSetDevice(1): arrays 1, element 4 bytes, step 1 gives 241, and 128 is right. With one device all
//   answers are right; the square root is exact enough here and is put right where it is not.
// want: Suppose that the program called cudaSetDevice(1) before. Of which device does your function speak?
#include "tile_for_device.h"

#include <cmath>

int tile_for_device(int arrays, int element_bytes, int step) {
  cudaDeviceProp prop;
  cudaGetDeviceProperties(&prop, 0);
  const size_t available = prop.sharedMemPerBlockOptin;

  // arrays * element_bytes * T * T <= available
  const size_t weight = static_cast<size_t>(arrays) * element_bytes;
  size_t side = static_cast<size_t>(std::sqrt(static_cast<double>(available / weight)));
  while (weight * side * side > available) --side;
  while (weight * (side + 1) * (side + 1) <= available) ++side;

  return static_cast<int>(side / step * step);
}
