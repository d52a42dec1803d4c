// SPDX-License-Identifier: Apache-2.0
// mistake: The grid is always 2 blocks of 128 threads, and the 256 threads share all of P: a thread stores up to
//   ceil(j * l / 256) elements, more than the 64 that the contract allows as soon as P has more than 16384. With
//   j = l = 130, 16900 elements, some store 67; with j = l = 256 each stores 256, and a warp's instructions pass
//   4000 + 512 x k too. The values are right for every size.
// want: Say P is 256 x 256. How many threads do you launch, and how many elements does each of them store? What does the
//   contract allow?
#include "rect_matmul.h"

__global__ void grid_stride(const float* M, const float* N, float* P, int j, int k, int l) {
  const int threads = gridDim.x * blockDim.x;
  for (int e = blockIdx.x * blockDim.x + threadIdx.x; e < j * l; e += threads) {
    const int row = e / l;
    const int col = e - row * l;
    float sum = 0.0f;
    for (int i = 0; i < k; ++i) {
      sum += M[row * k + i] * N[i * l + col];
    }
    P[e] = sum;
  }
}

void rect_matmul(const float* M, const float* N, float* P, int j, int k, int l) {
  // The loop makes any number of blocks right, also for empty matrices: then nobody enters it.
  grid_stride<<<2, 128>>>(M, N, P, j, k, l);
}
