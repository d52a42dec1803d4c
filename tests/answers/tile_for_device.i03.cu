// SPDX-License-Identifier: Apache-2.0
// mistake: asks the device once and keeps the answer in a static variable. After cudaSetDevice to a device with another
//   limit, the answer is still that of the device of the first call. Right as long as the current device stays the
//   same, or all devices are alike.
// want: What does `current` mean in the contract: current when? How often does the line run that asks the device?
#include "tile_for_device.h"

static size_t ask_device() {
  int device;
  if (cudaGetDevice(&device) != cudaSuccess) return 0;
  cudaDeviceProp prop;
  if (cudaGetDeviceProperties(&prop, device) != cudaSuccess) return 0;
  return prop.sharedMemPerBlockOptin;
}

int tile_for_device(int arrays, int element_bytes, int step) {
  static const size_t available = ask_device();  // properties are slow, and do not change

  const size_t per_place = (size_t)arrays * element_bytes;
  int tile = 1024 / step * step;
  while (tile > 0 && per_place * tile * tile > available) {
    tile -= step;
  }
  return tile;
}
