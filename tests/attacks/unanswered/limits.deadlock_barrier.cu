// SPDX-License-Identifier: Apache-2.0
// exercise: tiled_matmul
// verdict: not passed
// must not: hang longer than 60 s; grader_fault
// Half of the threads wait at one barrier, the others at another or in a spin loop on a lock held by a lane of the same warp.

#include "tiled_matmul.h"
__device__ int lock;
__global__ void k() {
  if (threadIdx.x % 2) { while (atomicCAS(&lock, 0, 1)) {} __syncthreads(); atomicExch(&lock, 0); }
  else { while (atomicCAS(&lock, 0, 1)) {} asm volatile("bar.sync 3, 64;"); atomicExch(&lock, 0); }
}

void tiled_matmul(const float* M, const float* N, float* P, int width) {
  k<<<2, 128>>>();
}
