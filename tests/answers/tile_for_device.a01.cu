// SPDX-License-Identifier: Apache-2.0
// mistake: asks for sharedMemPerBlock, which is what a block gets without opting in (48 KB); the limit with the
//   opt-in is sharedMemPerBlockOptin.
// want: Which of the device's numbers is 48 KB nearly everywhere, and which is larger on newer cards? The contract
//   counts the opt-in of cudaFuncSetAttribute in.
#include "tile_for_device.h"

int tile_for_device(int arrays, int element_bytes, int step) {
  int device = 0;
  cudaGetDevice(&device);
  cudaDeviceProp prop;
  cudaGetDeviceProperties(&prop, device);
  // we want it per block
  const size_t available = prop.sharedMemPerBlock;

  int best = 0;
  for (int tile = step; tile <= 1024; tile += step) {
    const size_t needed = (size_t)arrays * tile * tile * element_bytes;

    if (needed <= available) best = tile;
  }
  return best;
}
