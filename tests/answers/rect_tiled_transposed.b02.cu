// SPDX-License-Identifier: Apache-2.0
// mistake: each thread computes four rows of P, 8 apart, but whether the row exists is asked only for the first
//   of them: at the lower edge it stores behind the end of P.
// want: a thread with ty = 1 and j = 5: which four rows does it store, and which exist? Each store needs the
//   check of its own row.
#include "rect_tiled_transposed.h"

#define TILE 32         // of P, both ways
#define STEP 8          // of the side that is added up, for a phase
#define ROWS (TILE / STEP)  // of P, for a thread

// P = M x N: Mt is k x j, N is k x l, P is j x l. Blocks of 32 x 8 threads: each warp loads one row of the
// tile of Mt and one of N's, 32 neighbours.
__global__ void rect_tiled_transposed_kernel(const float* Mt, const float* N, float* P, int j, int k, int l) {
  __shared__ float Mts[STEP][TILE];
  __shared__ float Nds[STEP][TILE];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int m_row = blockIdx.y * TILE + tx;
  const int row = blockIdx.y * TILE + ty;
  const int col = blockIdx.x * TILE + tx;

  float sum[ROWS] = {};
  for (int start = 0; start < k; start += STEP) {
    const int i = start + ty;
    Mts[ty][tx] = i < k && m_row < j ? Mt[i * j + m_row] : 0.0f;
    Nds[ty][tx] = i < k && col < l ? N[i * l + col] : 0.0f;
    __syncthreads();

#pragma unroll
    for (int s = 0; s < STEP; ++s) {
      const float n = Nds[s][tx];
#pragma unroll
      for (int r = 0; r < ROWS; ++r) {
        sum[r] += Mts[s][ty + r * STEP] * n;
      }
    }
    __syncthreads();
  }

  if (row < j && col < l) {
    float* p = P + row * l + col;
#pragma unroll
    for (int r = 0; r < ROWS; ++r) {
      p[r * STEP * l] = sum[r];
    }
  }
}

void rect_tiled_transposed(const float* Mt, const float* N, float* P, int j, int k, int l) {
  if (j == 0 || l == 0) return;
  const dim3 block(TILE, STEP);
  const dim3 grid((l + TILE - 1) / TILE, (j + TILE - 1) / TILE);
  rect_tiled_transposed_kernel<<<grid, block>>>(Mt, N, P, j, k, l);
}
