// SPDX-License-Identifier: Apache-2.0
// mistake: the bytes are an int, in the belief that the break comes before it overflows. If already the first
//   steps are too large, it overflows at once: with 1024 arrays, 1024 bytes and step 64 it is 0, "fits", and
//   the answer is 1024 in place of 0.
// want: Your break relies on the bytes growing slowly. What is the first value that `needed` gets with 1024
//   arrays of 1024 byte elements and step 64? Which number would it be, and what does an int make of it?

#include "tile_for_device.h"

int tile_for_device(int arrays, int element_bytes, int step) {
  int current;
  cudaGetDevice(&current);
  cudaDeviceProp props;
  cudaGetDeviceProperties(&props, current);

  int best = 0;
  for (int tile = step; tile <= 1024; tile += step) {
    // The first one that is too large ends the loop (about 227 KB), so this stays far below 2^31.
    const int needed = arrays * element_bytes * tile * tile;
    if (needed > props.sharedMemPerBlockOptin) break;
    best = tile;
  }
  return best;
}
