// SPDX-License-Identifier: Apache-2.0
// mistake: Two mistakes: meet() is given the tile's width, not the number of threads: tile is at most 32, so it always
//   waits for the warp alone: a race from tile = 6 on, where 36 threads are two warps. And threads without an
//   element of P load zeros, though others need what they should bring: width = 5, tile = 4, block (1, 0):
//   tx = 1 has no column of P, so M[row][1] is 0 in the tile, and P[row][4] lacks its products.
// want: width 5, tile 4, the block at the right edge: who brings M[0][1] for P[0][4]?
#include "dynamic_tiled_matmul.h"

// A block of one warp needs no barrier of the block.
__device__ void meet(int threads) {
  if (threads <= 32) {
    __syncwarp();
  } else {
    __syncthreads();
  }
}

__global__ void kernel(const float* M, const float* N, float* P, int width, int tile) {
  extern __shared__ float s[];
  float* ms = &s[0];
  float* ns = &s[tile * tile];

  int tx = threadIdx.x;
  int ty = threadIdx.y;
  int row = blockIdx.y * tile + ty;
  int col = blockIdx.x * tile + tx;
  bool ok = row < width && col < width;

  float sum = 0;
  for (int p = 0; p < (int)gridDim.x; p++) {
    int mc = p * tile + tx;
    int nr = p * tile + ty;
    ms[ty * tile + tx] = ok && mc < width ? M[row * width + mc] : 0;
    ns[ty * tile + tx] = ok && nr < width ? N[nr * width + col] : 0;
    meet(tile);
    int len = min(tile, width - p * tile);
    for (int k = 0; k < len; k++) sum += ms[ty * tile + k] * ns[k * tile + tx];
    meet(tile);
  }
  if (ok) P[row * width + col] = sum;
}

void dynamic_tiled_matmul(const float* M, const float* N, float* P, int width, int tile) {
  int tiles = (width + tile - 1) / tile;
  kernel<<<dim3(tiles, tiles), dim3(tile, tile), 2 * tile * tile * sizeof(float)>>>(M, N, P, width, tile);
}
