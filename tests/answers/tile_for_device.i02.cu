// SPDX-License-Identifier: Apache-2.0
// mistake: a binary search whose test multiplies in int. With large arrays and element_bytes the product does not fit
//   (arrays * element_bytes * T * T of 2^31 and more), turns negative or small, and a tile far too large counts as
//   fitting: for instance 1024 arrays of elements of 1024 bytes. Right where arrays * element_bytes is below 2048.
// want: 1024 arrays, 1024 bytes, T = 512: what is the product, and what is the largest number that an int holds?
#include "tile_for_device.h"

int tile_for_device(int arrays, int element_bytes, int step) {
  int device = 0;
  cudaGetDevice(&device);
  int available = 0;
  cudaDeviceGetAttribute(&available, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);

  auto fits = [&](int tile) {
    const int bytes = arrays * element_bytes * tile * tile;
    return bytes <= available;
  };

  // low steps always fit, high steps never do
  int low = 0;
  int high = 1024 / step + 1;
  while (high - low > 1) {
    const int middle = (low + high) / 2;
    if (fits(middle * step)) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return low * step;
}
