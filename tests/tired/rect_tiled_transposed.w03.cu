// SPDX-License-Identifier: Apache-2.0
// mistake: A thread adds up the rows ty, ty + 8, ty + 16 and ty + 24 of the tile, but stores its four sums
//   into the rows 4 * ty to 4 * ty + 3: the rows of P are shuffled within each tile. j = 2: acc[1] of ty = 0
//   is the sum of row 8 (zeros), and it is stored into row 1. Only the rows 0 and 31 of a tile are right.
//   Loads are right and coalesced.
// want: Which row of the tile does acc[1] of the thread with ty = 0 belong to in the inner loop? And where is
//   it stored?
#include "rect_tiled_transposed.h"

// Tiles of 32 x 32, blocks of 32 x 8: each thread has four rows.
constexpr int W = 32;
constexpr int H = 8;
constexpr int R = W / H;

__global__ void __launch_bounds__(W * H)
rect_tiled_transposed_kernel(const float* Mt, const float* N, float* P, int j, int k, int l) {
  __shared__ float A[W][W];  // A[i][row], as Mt lies in memory
  __shared__ float B[W][W];  // B[i][col]

  const int tx = threadIdx.x, ty = threadIdx.y;
  const int top = blockIdx.y * W;
  const int left = blockIdx.x * W;

  float acc[R] = {0.0f};

  for (int i0 = 0; i0 < k; i0 += W) {
#pragma unroll
    for (int r = 0; r < R; ++r) {
      const int y = ty + r * H;
      A[y][tx] = i0 + y < k && top + tx < j ? Mt[(i0 + y) * j + top + tx] : 0.0f;
      B[y][tx] = i0 + y < k && left + tx < l ? N[(i0 + y) * l + left + tx] : 0.0f;
    }
    __syncthreads();

    const int depth = min(W, k - i0);
    for (int i = 0; i < depth; ++i) {
      const float b = B[i][tx];
#pragma unroll
      for (int r = 0; r < R; ++r) acc[r] += A[i][ty + r * H] * b;
    }
    __syncthreads();
  }

#pragma unroll
  for (int r = 0; r < R; ++r) {
    const int row = top + ty * R + r;
    const int col = left + tx;
    if (row < j && col < l) P[row * l + col] = acc[r];
  }
}

void rect_tiled_transposed(const float* Mt, const float* N, float* P, int j, int k, int l) {
  if (j == 0 || l == 0) return;
  const dim3 grid((l + W - 1) / W, (j + W - 1) / W);
  rect_tiled_transposed_kernel<<<grid, dim3(W, H)>>>(Mt, N, P, j, k, l);
}
