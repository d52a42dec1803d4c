// SPDX-License-Identifier: Apache-2.0
// mistake: T is doubled from step on, so that only step, 2 step, 4 step, ... are tried, not every multiple of
//   step. With 232448 bytes, arrays = 2, element_bytes = 4, step = 16 the answer is 128; 160 fits too
//   (8 * 160 * 160 = 204800).
// want: write down the first few widths that your loop tries for step 16. Which does the contract allow?
#include "tile_for_device.h"

namespace {

size_t limit_of_current_device() {
  int device = 0;
  cudaGetDevice(&device);
  cudaDeviceProp prop;
  cudaGetDeviceProperties(&prop, device);
  return prop.sharedMemPerBlockOptin;
}

}  // namespace

int tile_for_device(int arrays, int element_bytes, int step) {
  const size_t limit = limit_of_current_device();
  const size_t per_place = size_t(arrays) * element_bytes;  // bytes for one element in each tile

  size_t tile = step;
  if (per_place * tile * tile > limit) return 0;
  // grow as long as the next one fits
  while (per_place * (2 * tile) * (2 * tile) <= limit) {
    tile *= 2;
  }
  return int(tile);
}
