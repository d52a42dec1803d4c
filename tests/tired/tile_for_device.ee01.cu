// SPDX-License-Identifier: Apache-2.0
// mistake: device 0 is asked, not the current one. After cudaSetDevice(1), where device 1 has another limit
//   (99 KB instead of 227 KB, say), arrays = 2, element_bytes = 4, step = 16 gives 160 instead of 112. The
//   number and the formula are right: the division rounds down, and so do the root and the multiple.
// want: suppose that a program has called cudaSetDevice(1). Which device does your answer describe?
#include "tile_for_device.h"

#include <cmath>

int tile_for_device(int arrays, int element_bytes, int step) {
  int available = 0;
  cudaDeviceGetAttribute(&available, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0);

  // arrays * element_bytes * T * T <= available, solved for T; then down to a multiple of step.
  const int elements = available / (arrays * element_bytes);
  const int widest = static_cast<int>(std::sqrt(static_cast<double>(elements)));
  return widest - widest % step;
}
