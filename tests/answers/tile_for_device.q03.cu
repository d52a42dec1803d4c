// SPDX-License-Identifier: Apache-2.0
// mistake: rounds each tile's bytes up to a multiple of 128, which the contract does not: the tiles have just
//   arrays * T * T * element_bytes bytes. arrays = 1024, element_bytes = 1, step = 1 on a device with 232448 bytes: each tile
//   may have 227 bytes, T = 15 (225); with the rounding 11 comes out (121 becomes 128, 144 becomes 256).
// want: arrays = 1024, element_bytes = 1: how many bytes do 1024 tiles of 15 x 15 have, and how many do you count?
#include "tile_for_device.h"

#include <cstddef>

int tile_for_device(int arrays, int element_bytes, int step) {
  int device = -1;
  if (cudaGetDevice(&device) != cudaSuccess) return 0;
  cudaDeviceProp properties;
  if (cudaGetDeviceProperties(&properties, device) != cudaSuccess) return 0;

  int best = 0;
  for (int tile = step;; tile += step) {
    std::size_t one = static_cast<std::size_t>(tile) * tile * element_bytes;
    // The next tile begins where the banks begin again, at a multiple of 32 x 4 bytes.
    one = (one + 127) / 128 * 128;
    if (one * arrays > properties.sharedMemPerBlockOptin) break;
    best = tile;
  }
  return best;
}
