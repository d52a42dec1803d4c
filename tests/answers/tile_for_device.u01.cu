// SPDX-License-Identifier: Apache-2.0
// mistake: takes the multiprocessor's shared memory less 1 KiB for what a block may have at most. That is so from compute
//   capability 8.0 on, but not before: on 7.5 both numbers are 65536 (on 7.0 98304). With 65536, arrays 1, element 4
//   bytes, step 1: T = 128 needs exactly 65536, and the answer is 127.
// want: Which of the device's three numbers speaks of one block? Is your difference between two of them the same on
//   every device?
#include "tile_for_device.h"

int tile_for_device(int arrays, int element_bytes, int step) {
  int device = 0;
  cudaGetDevice(&device);

  int per_sm = 0;
  cudaDeviceGetAttribute(&per_sm, cudaDevAttrMaxSharedMemoryPerMultiprocessor, device);
  // one block may have all of it but the 1 KiB that the system keeps for each block
  const long long available = per_sm - 1024;

  int best = 0;
  for (int tile = step; tile <= 1024; tile += step) {
    const long long needed = 1LL * arrays * element_bytes * tile * tile;
    if (needed > available) break;
    best = tile;
  }
  return best;
}
