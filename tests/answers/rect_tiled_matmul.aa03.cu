// SPDX-License-Identifier: Apache-2.0
// mistake: only M comes through shared memory; N is read from global memory once for each product, 4 bytes each.
//   With M's 4 / 32 bytes that makes 4.125 x j x k x l bytes, where 2 x j x k x l are allowed: j = k = l = 32
//   loads 135168 bytes, and 65536 are allowed. The values are right.
// want: How many bytes of N does one block load in a phase, and how many different elements of N are that?
#include "rect_tiled_matmul.h"

#define COLS 32
#define ROWS 8
#define DEPTH 32

__global__ void rect_strip(const float* __restrict__ M, const float* __restrict__ N, float* __restrict__ P, int j,
                           int k, int l) {
  __shared__ float strip[ROWS][DEPTH];

  const int row = blockIdx.y * ROWS + threadIdx.y;
  const int col = blockIdx.x * COLS + threadIdx.x;

  float sum = 0.0f;
  for (int base = 0; base < k; base += DEPTH) {
    const int mc = base + threadIdx.x;
    strip[threadIdx.y][threadIdx.x] = row < j && mc < k ? M[row * k + mc] : 0.0f;
    __syncthreads();

    // A warp reads 32 neighbours of N's row at once: that is coalesced, and the cache has it for the next warp.
    const int depth = min(DEPTH, k - base);
    if (col < l) {
      for (int i = 0; i < depth; ++i) sum += strip[threadIdx.y][i] * __ldg(&N[(base + i) * l + col]);
    }
    __syncthreads();
  }

  if (row < j && col < l) P[row * l + col] = sum;
}

void rect_tiled_matmul(const float* M, const float* N, float* P, int j, int k, int l) {
  if (j <= 0 || l <= 0) return;
  const dim3 grid((l + COLS - 1) / COLS, (j + ROWS - 1) / ROWS);
  rect_strip<<<grid, dim3(COLS, ROWS)>>>(M, N, P, j, k, l);
}
