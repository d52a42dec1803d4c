// SPDX-License-Identifier: Apache-2.0
// exercise: tiled_matmul
// verdict: not passed
// must not: grader_fault
// The host frees M, N and P by a thread while a kernel uses them; and the stream-ordered way.

#include "tiled_matmul.h"
#include <thread>
__global__ void k(float* P) { for (int i = 0; i < 200000; ++i) P[0] += 1; }

void tiled_matmul(const float* M, const float* N, float* P, int width) {
  float* d;
  cudaMalloc(&d, 1 << 20);
  std::thread t([=] { for (int i = 0; i < 100; ++i) cudaFree(d); });
  k<<<8, 64>>>(d);
  t.join();
  k<<<1, 32>>>(d);
  cudaFree(d);
  cudaFree(d);
  cudaFree(d + 1);
}
