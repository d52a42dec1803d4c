// SPDX-License-Identifier: Apache-2.0
// mistake: rounds each tile up to a multiple of 16 bytes; the contract knows no such gaps: a block needs arrays x T x T x
//   element_bytes. With 232448 bytes available, arrays 1024, element 1 byte, step 1: T = 15 needs 230400 and fits;
//   rounded up it is 245760, and the answer is 14. Right wherever T x T x element_bytes is a multiple of 16, or far from
//   the limit. Nothing overflows: the int product tile x tile is small.
// want: How many bytes does your function count for arrays 1024, element_bytes 1, T = 15? Work it out from the header,
//   too.
#include "tile_for_device.h"

static long long bytes_of_block(int arrays, int element_bytes, int tile) {
  const long long elements = tile * tile;
  long long one = elements * element_bytes;
  one = (one + 15) / 16 * 16;  // each tile begins at a multiple of 16 bytes
  return one * arrays;
}

int tile_for_device(int arrays, int element_bytes, int step) {
  int device, limit;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&limit, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);

  // from below, as long as the next one fits
  int tile = 0;
  while (bytes_of_block(arrays, element_bytes, tile + step) <= limit) tile += step;
  return tile;
}
