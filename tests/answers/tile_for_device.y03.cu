// SPDX-License-Identifier: Apache-2.0
// mistake: Where step x step threads are more than a block may have, 0 is returned; the contract says that the number of
//   threads does not limit T, and step may be up to 1024. Case: arrays 1, element_bytes 4, step 64 on a device with
//   232448 bytes: 192 * 192 * 4 = 147456 fit, so 192; the answer is 0. For step up to 32 all is right.
// want: Which limits does the contract name for T, and which further one does your function ask the device about?
#include "tile_for_device.h"

#include <cstdint>

int tile_for_device(int arrays, int element_bytes, int step) {
  int device = 0;
  cudaGetDevice(&device);
  cudaDeviceProp prop;
  if (cudaGetDeviceProperties(&prop, device) != cudaSuccess) return 0;

  // a block of step x step threads has to start at all
  if (step * step > prop.maxThreadsPerBlock) return 0;

  // from large to small: the first one that fits is the largest
  const std::uint64_t available = prop.sharedMemPerBlockOptin;
  for (int tile = 1024 / step * step; tile > 0; tile -= step) {
    const std::uint64_t row = static_cast<std::uint64_t>(tile) * element_bytes;
    if (arrays * tile * row <= available) return tile;
  }
  return 0;
}
