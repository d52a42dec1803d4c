// SPDX-License-Identifier: Apache-2.0
// exercise: tiled_matmul
// verdict: not passed
// must not: pass; grader_fault; hang
// Eight threads talk to the device at once, unsynchronised, before and after the return: frames may mix.

#include "tiled_matmul.h"

#include <thread>
__global__ void k(float* p) { *p = 2; }

void tiled_matmul(const float* M, const float* N, float* P, int width) {
  static int once = 0;
  if (once++) return;
  for (int i = 0; i < 8; ++i)
    std::thread([] {
      float *p, f;
      for (int r = 0; r < 2000; ++r) {
        cudaMalloc(&p, 4);
        k<<<1, 1>>>(p);
        cudaMemcpy(&f, p, 4, cudaMemcpyDeviceToHost);
        cudaFree(p);
      }
    }).detach();
}
