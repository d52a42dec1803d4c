// SPDX-License-Identifier: Apache-2.0
// mistake: The limit is asked once and kept in a static variable, so that a later call on another current device
//   answers for the first one. Case: a call on a device with 232448 bytes, then cudaSetDevice to one with 101376:
//   arrays 1, element_bytes 1, step 1 gives 482 again instead of 318. On one device all is right.
// want: When the program calls your function, then cudaSetDevice, then your function again: which lines run the second time?
#include "tile_for_device.h"

#include <cmath>

static int ask_device() {
  int device = 0;
  cudaGetDevice(&device);
  int bytes = 0;
  cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
  return bytes;
}

int tile_for_device(int arrays, int element_bytes, int step) {
  // asking takes time, and the answer does not change
  static const int available = ask_device();

  // T * T elements in each of the arrays
  const int elements = available / (arrays * element_bytes);
  int tile = static_cast<int>(std::sqrt(static_cast<double>(elements)));
  while (tile * tile > elements) --tile;
  while ((tile + 1) * (tile + 1) <= elements) ++tile;
  return tile - tile % step;
}
