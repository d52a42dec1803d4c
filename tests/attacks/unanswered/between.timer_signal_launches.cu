// SPDX-License-Identifier: Apache-2.0
// exercise: tiled_matmul
// verdict: not passed
// must not: pass; grader_fault; hang
// A timer signal every millisecond launches kernels and copies, in whatever place the worker is in: between calls, and in the middle of a frame.

#include "tiled_matmul.h"

#include <csignal>
#include <sys/time.h>
static float* junk;
__global__ void k(float* j) { *j = 1; }
static void handler(int) { k<<<1, 1>>>(junk); float f; cudaMemcpy(&f, junk, 4, cudaMemcpyDeviceToHost); }

void tiled_matmul(const float* M, const float* N, float* P, int width) {
  if (junk) return;
  cudaMalloc(&junk, 4);
  signal(SIGALRM, handler);
  itimerval t = {{0, 1000}, {0, 1000}};
  setitimer(ITIMER_REAL, &t, nullptr);
}
