// SPDX-License-Identifier: Apache-2.0
// mistake: rounds down to a multiple of step with `& ~(step - 1)`, which does that only where step is a power of two; step
//   may be anything from 1 to 1024.
// want: What is 170 & ~(10 - 1)? Is it a multiple of 10?
#include <cmath>

#include "tile_for_device.h"

int tile_for_device(int arrays, int element_bytes, int step) {
  int device = 0;
  cudaGetDevice(&device);
  int available = 0;
  cudaDeviceGetAttribute(&available, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);

  // T * T * arrays * element_bytes <= available, no loop needed
  const int elements = available / (arrays * element_bytes);
  const int side = static_cast<int>(std::sqrt(static_cast<double>(elements)));

  // down to a multiple of step
  return side & ~(step - 1);
}
