// SPDX-License-Identifier: Apache-2.0
// exercise: coarsened_matmul
// verdict: not passed
// must not: grader_fault; hang
// record, wait, destroy, record again on another stream, wait on a destroyed one, destroy twice, a stream destroyed with work pending, 30,000 times.

#include "coarsened_matmul.h"
__global__ void k(float* p) { p[0] += 1; }

void coarsened_matmul(const float* M, const float* N, float* P, int width) {
  static int once = 0;
  if (once++) return;
  float* d;
  cudaMalloc(&d, 4);
  for (int i = 0; i < 3000; ++i) {
    cudaStream_t a, b;
    cudaEvent_t e;
    cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking);
    cudaStreamCreate(&b);
    cudaEventCreate(&e);
    k<<<1, 1, 0, a>>>(d);
    cudaEventRecord(e, a);
    cudaStreamWaitEvent(b, e, 0);
    cudaEventRecord(e, b);
    cudaStreamWaitEvent(a, e, 0);
    cudaEventDestroy(e);
    cudaEventDestroy(e);
    cudaStreamWaitEvent(b, e, 0);
    k<<<1, 1, 0, b>>>(d);
    cudaStreamDestroy(a);
    cudaStreamDestroy(b);
    cudaStreamDestroy(b);
    k<<<1, 1, 0, a>>>(d);
  }
  float x, y;
  cudaEvent_t bad = (cudaEvent_t)0x1234;
  cudaEventElapsedTime(&x, bad, bad);
  cudaStreamWaitEvent((cudaStream_t)0xdead, bad, 7);
  (void)y;
}
