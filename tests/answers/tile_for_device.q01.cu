// SPDX-License-Identifier: Apache-2.0
// mistake: returns 0 where step x step is more than 1024 threads, although the contract says that the number of threads does
//   not limit T and step goes up to 1024. arrays = 1, element_bytes = 1, step = 64 on a device with 232448 bytes: 448 is
//   right (448^2 = 200704, 512^2 = 262144), the answer says 0. (The root instead of a loop is right.)
// want: Try arrays = 1, element_bytes = 1, step = 64 by hand, then read the contract again on what may limit T.
#include "tile_for_device.h"

#include <cmath>

int tile_for_device(int arrays, int element_bytes, int step) {
  // A block has at most 1024 threads: step x step of them have to be possible.
  if (step * step > 1024) return 0;

  int device = 0;
  cudaGetDevice(&device);
  int bytes = 0;
  cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);

  // So many elements may each array have, and a square of them is as wide as the root.
  const int elements = bytes / (arrays * element_bytes);
  const int widest = static_cast<int>(std::sqrt(static_cast<double>(elements)));
  return widest / step * step;
}
