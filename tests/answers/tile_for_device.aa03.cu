// SPDX-License-Identifier: Apache-2.0
// mistake: the tile is doubled as long as it fits, so that only step, 2 step, 4 step, 8 step ... are tried. The largest
//   multiple of step may lie between: with 227 KiB, arrays 2, element_bytes 4, step 16: 160 fits (204800 bytes),
//   128 is returned.
// want: Which widths does your loop try for step 16? Which others are multiples of 16?
#include "tile_for_device.h"

#include <cstdint>

int tile_for_device(int arrays, int element_bytes, int step) {
  int dev = 0, optin = 0;
  cudaGetDevice(&dev);
  cudaDeviceGetAttribute(&optin, cudaDevAttrMaxSharedMemoryPerBlockOptin, dev);

  const int64_t per_place = int64_t{arrays} * element_bytes;
  auto fits = [&](int64_t t) { return per_place * t * t <= optin; };

  if (!fits(step)) return 0;
  int64_t t = step;
  while (fits(2 * t)) t *= 2;
  return static_cast<int>(t);
}
