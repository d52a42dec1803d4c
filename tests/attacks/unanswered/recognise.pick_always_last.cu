// SPDX-License-Identifier: Apache-2.0
// exercise: pick_device
// verdict: not passed
// must not: pass; grader_fault
// Answers by the number of devices and by trying cudaSetDevice and cudaMalloc on each; leaves another device current.

#include "pick_device.h"

int pick_device(unsigned long long bytes) {
  int n = 0, best = -1;
  cudaGetDeviceCount(&n);
  for (int d = n - 1; d >= 0; --d) {
    cudaSetDevice(d);
    void* p = nullptr;
    if (cudaMalloc(&p, bytes) == cudaSuccess) { best = d; cudaFree(p); }
  }
  return best;
}
