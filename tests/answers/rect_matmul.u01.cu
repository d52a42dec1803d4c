// SPDX-License-Identifier: Apache-2.0
// mistake: the grid has never more than 4 blocks of 64 threads, and the grid-stride loop does the rest: from 16385
//   elements of P on a thread stores more than the 64 that the contract allows. j = l = 129: 16641 elements, 256
//   threads, 65 or 66 each. Values are right for every shape.
// want: How many elements does one thread store for j = l = 129, and how many may it, by the header?
#include "rect_matmul.h"

constexpr int kThreads = 64;
constexpr long long kMaxBlocks = 4;

__global__ void rect_matmul_stride(const float* M, const float* N, float* P, int k, int l, long long total) {
  const long long stride = static_cast<long long>(gridDim.x) * blockDim.x;
  for (long long e = blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x; e < total; e += stride) {
    const long long row = e / l;
    const int col = static_cast<int>(e - row * l);
    const float* m = M + row * k;
    const float* n = N + col;
    float sum = 0.0f;
    for (int i = 0; i < k; ++i, n += l) sum += *m++ * *n;
    P[e] = sum;
  }
}

void rect_matmul(const float* M, const float* N, float* P, int j, int k, int l) {
  const long long total = static_cast<long long>(j) * l;
  if (total == 0) return;
  long long blocks = (total + kThreads - 1) / kThreads;
  if (blocks > kMaxBlocks) blocks = kMaxBlocks;  // the threads take the rest in strides
  rect_matmul_stride<<<static_cast<unsigned>(blocks), kThreads>>>(M, N, P, k, l, total);
}
