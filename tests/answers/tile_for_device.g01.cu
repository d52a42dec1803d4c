// SPDX-License-Identifier: Apache-2.0
// mistake: the shared memory of a whole multiprocessor is asked for. One block gets less of it even with the opt-in (1
//   KB is kept back for each block), so the answer is too large where the tiles fit into the one but not the other.
// want: Your number is what all blocks of a multiprocessor have together. Which of the three numbers is the most that
//   a single block may ask for, and are the two equal?

#include "tile_for_device.h"

#include <cuda_runtime.h>

static size_t shared_bytes() {
  int device = 0;
  cudaGetDevice(&device);
  int bytes = 0;
  // With the opt-in a single block may take everything that its multiprocessor has.
  cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerMultiprocessor, device);
  return static_cast<size_t>(bytes);
}

int tile_for_device(int arrays, int element_bytes, int step) {
  const size_t available = shared_bytes();
  const size_t per_element = static_cast<size_t>(arrays) * element_bytes;

  int tile = 0;
  while (per_element * (tile + step) * (tile + step) <= available) {
    tile += step;
  }
  return tile;
}
