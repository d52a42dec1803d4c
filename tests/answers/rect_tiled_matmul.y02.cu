// SPDX-License-Identifier: Apache-2.0
// mistake: Two mistakes: The number of tiles side by side in P, by which blockIdx.x is divided, is taken from j
//   instead of l. Case: j 40, k 16, l 20: 3 x 2 tiles, 6 blocks; the kernel divides by 3, and tile row 2 is computed by
//   nobody. And threads without an element of P return before the loop, so that they do not load their part of the
//   tiles: j = k = l = 17, block 1: only tx = 0 stays, and columns 1 to 15 of M's tile are never stored.
// want: Which tile do blocks 0 to 5 take for j = 40 and l = 20? (Then: for j = k = l = 17, who loads M[0][1] in block 1?)
#include "rect_tiled_matmul.h"

#define W 16

__host__ __device__ inline int tiles_for(int side) { return (side + W - 1) / W; }

__global__ void kernel(const float* M, const float* N, float* P, int j, int k, int l) {
  __shared__ float ms[W][W];
  __shared__ float ns[W][W];

  // blocks count through P's tiles, line by line
  const int across = tiles_for(j);
  const int tile_y = blockIdx.x / across;
  const int tile_x = blockIdx.x % across;

  const int ty = threadIdx.y, tx = threadIdx.x;
  const int row = tile_y * W + ty;
  const int col = tile_x * W + tx;
  if (row >= j || col >= l) return;  // nothing to do for this thread

  float sum = 0.0f;
  for (int p = 0; p < tiles_for(k); ++p) {
    // row and col exist, only the position along k has to be checked
    ms[ty][tx] = p * W + tx < k ? M[row * k + p * W + tx] : 0.0f;
    ns[ty][tx] = p * W + ty < k ? N[(p * W + ty) * l + col] : 0.0f;
    __syncthreads();
    for (int i = 0; i < W; ++i) sum += ms[ty][i] * ns[i][tx];
    __syncthreads();
  }
  P[row * l + col] = sum;
}

void rect_tiled_matmul(const float* M, const float* N, float* P, int j, int k, int l) {
  const int blocks = tiles_for(j) * tiles_for(l);
  if (blocks > 0) kernel<<<blocks, dim3(W, W)>>>(M, N, P, j, k, l);
}
