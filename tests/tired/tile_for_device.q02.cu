// SPDX-License-Identifier: Apache-2.0
// mistake: takes the bytes that the system reserves for each block off the opt-in limit, which is already what a block may
//   ask for. With 232448 bytes of opt-in and 1024 reserved: arrays = 1, element_bytes = 1, step = 1 gives 481
//   (481^2 = 231361 <= 231424), but 482 fits (482^2 = 232324 <= 232448). (The search by halves is right.)
// want: What does each of the two attributes that you ask for mean? Which of them is the most that cudaFuncSetAttribute
//   takes?
#include "tile_for_device.h"

namespace {

long long shared_bytes_for_a_block() {
  int dev;
  cudaGetDevice(&dev);
  int most = 0, reserved = 0;
  cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, dev);
  // The system keeps some of each block's shared memory to itself.
  cudaDeviceGetAttribute(&reserved, cudaDevAttrReservedSharedMemoryPerBlock, dev);
  return most - reserved;
}

}  // namespace

int tile_for_device(int arrays, int element_bytes, int step) {
  const long long have = shared_bytes_for_a_block();
  const long long each = 1LL * arrays * element_bytes;

  // Search by halves among the multiples of step: lo fits, hi does not.
  int lo = 0;
  int hi = 1024 / step + 1;
  while (hi - lo > 1) {
    const int mid = (lo + hi) / 2;
    const long long t = 1LL * mid * step;
    if (each * t * t <= have)
      lo = mid;
    else
      hi = mid;
  }
  return lo * step;
}
