// SPDX-License-Identifier: Apache-2.0
// mistake: A thread adds up rows ty, ty + 8, ty + 16, ty + 24 of the tile, but stores its sums to rows 4 * ty to
//   4 * ty + 3: P's rows are permuted. Case: j 9, k 1, l 1: thread ty 0 stores the sum of row 8 into row 1. With j = 1
//   it is right. The loads are right and coalesced.
// want: Thread ty = 0: which row of P does sums[1] belong to in the loop that adds, and which in the loop that stores?
#include "rect_tiled_transposed.h"

// 32 x 8 threads for tiles of 32 x 32: each thread loads four elements of each tile, and has four of P.
__global__ void transposed_32x8(const float* __restrict__ Mt, const float* __restrict__ N, float* __restrict__ P,
                                int j, int k, int l) {
  __shared__ float mt_s[32][32];  // [i][row]
  __shared__ float n_s[32][32];   // [i][col]

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row0 = blockIdx.y * 32;
  const int col = blockIdx.x * 32 + tx;

  float sums[4] = {0, 0, 0, 0};

  for (int i0 = 0; i0 < k; i0 += 32) {
#pragma unroll
    for (int r = 0; r < 32; r += 8) {
      const int i = i0 + ty + r;
      mt_s[ty + r][tx] = i < k && row0 + tx < j ? Mt[i * j + row0 + tx] : 0.0f;
      n_s[ty + r][tx] = i < k && col < l ? N[i * l + col] : 0.0f;
    }
    __syncthreads();

    for (int i = 0; i < 32; ++i) {
      const float n = n_s[i][tx];
      sums[0] += mt_s[i][ty] * n;
      sums[1] += mt_s[i][ty + 8] * n;
      sums[2] += mt_s[i][ty + 16] * n;
      sums[3] += mt_s[i][ty + 24] * n;
    }
    __syncthreads();
  }

  if (col >= l) return;
  for (int r = 0; r < 4; ++r) {
    const int row = row0 + 4 * ty + r;
    if (row < j) P[row * l + col] = sums[r];
  }
}

void rect_tiled_transposed(const float* Mt, const float* N, float* P, int j, int k, int l) {
  if (j == 0 || l == 0) return;
  const dim3 block(32, 8);
  const dim3 grid((l + 31) / 32, (j + 31) / 32);
  transposed_32x8<<<grid, block>>>(Mt, N, P, j, k, l);
}
