// SPDX-License-Identifier: Apache-2.0
// mistake: In the last phase M's tile is packed with rows of `depth` elements, but all threads still store: one with
//   tx >= depth puts its 0 at ty * depth + tx, which is a place of the next rows. Case: width 3, tile 2, second phase:
//   depth 1, thread (tx 1, ty 0) stores 0 at place 1 and thread (tx 0, ty 1) stores M[1][2] there: a race, one of them
//   is lost. Where tile divides width all is right.
// want: In the last phase for width 3 and tile 2, at which place of Mds does each of the four threads store?
#include "dynamic_tiled_matmul.h"

__global__ void packed(const float* M, const float* N, float* P, int width, int tile) {
  extern __shared__ float both[];
  float* Mds = &both[0];
  float* Nds = &both[tile * tile];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * tile + ty;
  const int col = blockIdx.x * tile + tx;

  float sum = 0.0f;
  for (int start = 0; start < width; start += tile) {
    // M's tile is depth wide and N's is depth high, the last ones are smaller than the others
    const int depth = min(tile, width - start);

    Mds[ty * depth + tx] = row < width && tx < depth ? M[row * width + start + tx] : 0.0f;
    Nds[ty * tile + tx] = ty < depth && col < width ? N[(start + ty) * width + col] : 0.0f;
    __syncthreads();

    for (int k = 0; k < depth; ++k) {
      sum += Mds[ty * depth + k] * Nds[k * tile + tx];
    }
    __syncthreads();
  }

  if (row < width && col < width) {
    P[row * width + col] = sum;
  }
}

void dynamic_tiled_matmul(const float* M, const float* N, float* P, int width, int tile) {
  const int tiles = (width + tile - 1) / tile;
  const dim3 block(tile, tile);
  const dim3 grid(tiles, tiles);
  packed<<<grid, block, 8 * tile * tile>>>(M, N, P, width, tile);
}
