// SPDX-License-Identifier: Apache-2.0
// mistake: the thread's number in the block is cut the wrong way round: x = t / 16, y = t % 16, so that neighbouring
//   threads of a warp load from 16 different rows. A warp asks for 128 bytes and touches 16 sectors of 32 bytes (512
//   bytes): 4 times as much, where 1.45 times is allowed (all sides multiples of 32, for example 32 x 32 x 32). The
//   values are right for every shape.
// want: Write down the addresses in M that threads 0, 1, 2 and 16 of a warp load in the first phase. How many
//   sectors of 32 bytes do the 32 threads touch?
#include "rect_tiled_matmul.h"

#define TILE 16

struct Tile {
  float at[TILE][TILE];
};

__device__ void fetch(Tile& tile, const float* A, int rows, int cols, int top, int left, int y, int x) {
  const int r = top + y, c = left + x;
  tile.at[y][x] = (r < rows && c < cols) ? A[r * cols + c] : 0.0f;
}

__global__ void rect_tiled_matmul_kernel(const float* M, const float* N, float* P, int j, int k, int l) {
  __shared__ Tile m, n;

  const int x = threadIdx.x / TILE;
  const int y = threadIdx.x % TILE;
  const int top = blockIdx.y * TILE;
  const int left = blockIdx.x * TILE;

  float sum = 0.0f;
  for (int depth = 0; depth < k; depth += TILE) {
    fetch(m, M, j, k, top, depth, y, x);
    fetch(n, N, k, l, depth, left, y, x);
    __syncthreads();
    for (int i = 0; i < TILE; ++i) sum += m.at[y][i] * n.at[i][x];
    __syncthreads();
  }

  const int row = top + y, col = left + x;
  if (row < j && col < l) P[row * l + col] = sum;
}

void rect_tiled_matmul(const float* M, const float* N, float* P, int j, int k, int l) {
  if (j <= 0 || l <= 0) return;
  const dim3 grid((l + TILE - 1) / TILE, (j + TILE - 1) / TILE);
  rect_tiled_matmul_kernel<<<grid, TILE * TILE>>>(M, N, P, j, k, l);
}
