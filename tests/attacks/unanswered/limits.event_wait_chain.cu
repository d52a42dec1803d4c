// SPDX-License-Identifier: Apache-2.0
// exercise: coarsened_matmul
// verdict: not passed
// must not: grader_fault; hang
// A chain of 50,000 waits: each stream waits for an event of the one before, which is recorded behind that wait.

#include "coarsened_matmul.h"
__global__ void k() {}

void coarsened_matmul(const float* M, const float* N, float* P, int width) {
  static int once = 0;
  if (once++) return;
  cudaStream_t a, b;
  cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking);
  for (int i = 0; i < 25000; ++i) {
    cudaEvent_t e, f;
    cudaEventCreateWithFlags(&e, cudaEventDisableTiming);
    cudaEventCreateWithFlags(&f, cudaEventDisableTiming);
    cudaEventRecord(e, a);
    cudaStreamWaitEvent(b, e, 0);
    cudaEventRecord(f, b);
    cudaStreamWaitEvent(a, f, 0);
  }
  k<<<1, 1, 0, a>>>();
  cudaDeviceSynchronize();
}
