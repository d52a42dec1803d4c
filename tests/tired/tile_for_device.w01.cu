// SPDX-License-Identifier: Apache-2.0
// mistake: Device 0 is asked, whichever device is current: after cudaSetDevice(1), with a device 1 whose
//   blocks may have another amount (0: 101376 bytes, 1: 232448; arrays 1, element_bytes 4, step 1), the answer
//   is 159 and not 241. Where device 0 is current everything is right, the square root included.
// want: Whose limit does the function return when the caller has called cudaSetDevice(1)? How do you find out
//   which device is current?
#include "tile_for_device.h"

#include <cmath>

int tile_for_device(int arrays, int element_bytes, int step) {
  int bytes = 0;
  cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0);

  // arrays * T * T * element_bytes <= bytes, solved for T, then down to a multiple of step
  const double per_place = double(arrays) * element_bytes;
  const int widest = static_cast<int>(std::sqrt(bytes / per_place));
  return widest - widest % step;
}
