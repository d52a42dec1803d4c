// SPDX-License-Identifier: Apache-2.0
// mistake: the search begins with T = step and never asks whether that fits: where it does not, it returns step
//   instead of 0. With arrays = 1024, element_bytes = 1024, step = 1 a tile of 1 takes 1 MiB, more than any block has,
//   and it returns 1. Everything else is right: T doubled while it fits, then one step after another.
// want: Which values of T does `fits` get to see, and is the one that you begin with among them? Try 1024 arrays of
//   1024-byte elements.
#include "tile_for_device.h"

int tile_for_device(int arrays, int element_bytes, int step) {
  int device = 0;
  int most = 0;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);

  auto fits = [=](long long T) { return T * T * arrays * element_bytes <= most; };

  // in large strides first, then in small ones
  int T = step;
  while (fits(2 * T)) T *= 2;
  while (fits(T + step)) T += step;
  return T;
}
