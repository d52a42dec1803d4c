// SPDX-License-Identifier: Apache-2.0
// mistake: with tile up to 8 the block waits with __syncwarp only, but 8 x 8 threads are two warps (and so are
//   6 x 6 and 7 x 7). With tile 8, threads of rows 0 to 3 read rows 4 to 7 of N's tile, which the other warp
//   stores, without a barrier between: a race. With tile up to 5 it is right, and above 8 too. N's rotated
//   rows and the shortened last phase are right.
// want: tile 8: how many threads has the block, and how many of them does __syncwarp wait for?
#include "dynamic_tiled_matmul.h"

__device__ inline void wait_for_all(int tile) {
  // small blocks need no barrier of the whole block
  if (tile <= 8) {
    __syncwarp();
  } else {
    __syncthreads();
  }
}

__global__ void dtm(const float* M, const float* N, float* P, int width, int tile) {
  extern __shared__ float both[];
  float* const Mds = both;
  float* const Nds = both + tile * tile;
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * tile + ty, col = blockIdx.x * tile + tx;

  // Row r of N's tile is rotated by r places.
  auto at = [=](int r, int c) { return r * tile + (c + r) % tile; };

  float sum = 0.0f;
  for (int base = 0; base < width; base += tile) {
    const int depth = min(tile, width - base);
    if (row < width && tx < depth) Mds[ty * tile + tx] = M[row * width + base + tx];
    if (col < width && ty < depth) Nds[at(ty, tx)] = N[(base + ty) * width + col];
    wait_for_all(tile);

    if (row < width && col < width) {
      for (int k = 0; k < depth; ++k) sum += Mds[ty * tile + k] * Nds[at(k, tx)];
    }
    wait_for_all(tile);
  }
  if (row < width && col < width) P[row * width + col] = sum;
}

void dynamic_tiled_matmul(const float* M, const float* N, float* P, int width, int tile) {
  const int n = (width + tile - 1) / tile;
  dtm<<<dim3(n, n), dim3(tile, tile), sizeof(float) * 2 * tile * tile>>>(M, N, P, width, tile);
}
