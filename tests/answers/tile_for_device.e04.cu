// SPDX-License-Identifier: Apache-2.0
// mistake: (1) the limit is asked once and kept in a static: after cudaSetDevice to another device the answer is
//   still the first one's. (2) each tile is rounded up to 128 bytes; the contract's tiles lie without gaps, so
//   that many small tiles get too little (1024 arrays of 1 byte, step 1: 11 in place of 15).
// want: When does the line that asks the device run, and how often? And where does the header say that a tile
//   begins at a multiple of 128 bytes: what does that cost with 1024 small tiles?

#include "tile_for_device.h"

namespace {

size_t ask_device() {
  int device = 0;
  cudaGetDevice(&device);
  int bytes = 0;
  cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
  return static_cast<size_t>(bytes);
}

// bytes of one tile; the next one should begin at a fresh line of 32 banks
size_t tile_bytes(int tile, int element_bytes) {
  const size_t bytes = static_cast<size_t>(tile) * tile * element_bytes;
  return (bytes + 127) / 128 * 128;
}

}  // namespace

int tile_for_device(int arrays, int element_bytes, int step) {
  static const size_t available = ask_device();  // asking is slow

  int tile = 0;
  while (tile + step <= 1024 && arrays * tile_bytes(tile + step, element_bytes) <= available) {
    tile += step;
  }
  return tile;
}
