// SPDX-License-Identifier: Apache-2.0
// mistake: 1024 bytes are taken off the opt-in limit, for what CUDA reserves for each block; but the limit that the
//   device tells is what a block may have, the reserved bytes are off it already. Case: arrays 1, element_bytes 1, step
//   1 on a device with 232448 bytes: 482 * 482 = 232324 fit, the answer is 481; with 101376 bytes 316 instead of 318.
// want: Which number does the device give you, and what exactly does it count? Is anything to be taken off it?
#include "tile_for_device.h"

namespace {

long long usable_bytes() {
  int device;
  cudaGetDevice(&device);
  int limit = 0;
  cudaDeviceGetAttribute(&limit, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
  return limit - 1024;  // CUDA keeps 1 KB of each block's shared memory for itself
}

}  // namespace

int tile_for_device(int arrays, int element_bytes, int step) {
  const long long usable = usable_bytes();
  auto fits = [=](long long steps) {
    const long long tile = steps * step;
    return tile * tile * arrays * element_bytes <= usable;
  };

  // Search by halves: `good` steps fit, `bad` steps do not.
  int good = 0;
  int bad = 4096;
  while (bad - good > 1) {
    const int middle = (good + bad) / 2;
    if (fits(middle)) {
      good = middle;
    } else {
      bad = middle;
    }
  }
  return good * step;
}
