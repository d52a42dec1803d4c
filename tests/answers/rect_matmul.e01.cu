// SPDX-License-Identifier: Apache-2.0
// mistake: a grid-stride loop over a grid of at most 32 blocks of 256 threads. The values are right, but with
//   more than 524288 elements of P a thread stores more than the 64 that the contract allows (j = l = 1024).
// want: How many threads do you launch at most, and how many elements of P does each of them store for
//   j = l = 1024? Compare with what the header says about one thread.

#include "rect_matmul.h"

#define THREADS 256
#define MAX_BLOCKS 32

__device__ float inner_product(const float* M, const float* N, int row, int col, int k, int l) {
  float sum = 0.0f;
  for (int i = 0; i < k; ++i) sum += M[row * k + i] * N[i * l + col];
  return sum;
}

// grid-stride loop, so any number of blocks is right
__global__ void rect_matmul_kernel(const float* M, const float* N, float* P, int j, int k, int l) {
  const int stride = gridDim.x * blockDim.x;
  for (int e = blockIdx.x * blockDim.x + threadIdx.x; e < j * l; e += stride) {
    P[e] = inner_product(M, N, e / l, e % l, k, l);
  }
}

void rect_matmul(const float* M, const float* N, float* P, int j, int k, int l) {
  if (j == 0 || l == 0) return;
  int blocks = (j * l + THREADS - 1) / THREADS;
  // more blocks than this do not make it faster on my card
  if (blocks > MAX_BLOCKS) blocks = MAX_BLOCKS;
  rect_matmul_kernel<<<blocks, THREADS>>>(M, N, P, j, k, l);
}
