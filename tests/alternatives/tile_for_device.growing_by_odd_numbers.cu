// SPDX-License-Identifier: Apache-2.0
// differs: no multiplication of sides: a square is the sum of odd numbers; the answer is taken at each side that step
// divides. Asks the device for all three numbers and uses one.

#include "tile_for_device.h"

int tile_for_device(int arrays, int element_bytes, int step) {
  int device = 0;
  cudaGetDevice(&device);

  int per_block = 0, opt_in = 0, per_multiprocessor = 0;
  cudaDeviceGetAttribute(&per_block, cudaDevAttrMaxSharedMemoryPerBlock, device);
  cudaDeviceGetAttribute(&opt_in, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
  cudaDeviceGetAttribute(&per_multiprocessor, cudaDevAttrMaxSharedMemoryPerMultiprocessor, device);
  (void)per_block;
  (void)per_multiprocessor;

  const long long one = static_cast<long long>(arrays) * element_bytes;
  long long left = opt_in / one;  // elements of one tile
  int answer = 0;
  for (int side = 1, odd = 1; left >= odd; ++side, odd += 2) {
    left -= odd;
    if (side % step == 0) answer = side;
  }
  return answer;
}
