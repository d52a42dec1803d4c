// SPDX-License-Identifier: Apache-2.0
// mistake: the barrier is __syncwarp wherever tile <= 32, which is always. A block has tile * tile threads, more than
//   one warp from tile 6 on: with tile = 16 and width = 16 the second warp (rows 2 and 3) reads N's rows 0 and 1 that
//   the first one may not have stored yet, and the first one reads N's rows 2 to 15 of the others: a race. Right for
//   tile 1 to 5 (25 threads are one warp). The block in one dimension, N's tile stored transposed and the bytes are
//   right.
// want: Which threads does __syncwarp wait for, and how many threads has a block with tile = 16? Whose elements does
//   thread 0 read?
#include "dynamic_tiled_matmul.h"

// A tile is at most 32 wide: a warp is enough, and waiting for it is cheaper.
__device__ void wait_for_tile(int tile) {
  if (tile <= 32) {
    __syncwarp();
  } else {
    __syncthreads();
  }
}

__global__ void flat_blocks(const float* M, const float* N, float* P, int width, int tile) {
  extern __shared__ float both[];
  float* m_part = both;                // [row][column]
  float* n_part = both + tile * tile;  // [column][row]: both are read along a row

  const int t = threadIdx.x;
  const int y = t / tile;
  const int x = t % tile;
  const int row = blockIdx.y * tile + y;
  const int col = blockIdx.x * tile + x;

  float sum = 0.0f;
  for (int first = 0; first < width; first += tile) {
    m_part[y * tile + x] = row < width && first + x < width ? M[row * width + first + x] : 0.0f;
    n_part[x * tile + y] = first + y < width && col < width ? N[(first + y) * width + col] : 0.0f;
    wait_for_tile(tile);
    for (int k = 0; k < tile; ++k) sum += m_part[y * tile + k] * n_part[x * tile + k];
    wait_for_tile(tile);
  }

  if (row < width && col < width) P[row * width + col] = sum;
}

void dynamic_tiled_matmul(const float* M, const float* N, float* P, int width, int tile) {
  const int tiles = (width + tile - 1) / tile;
  flat_blocks<<<dim3(tiles, tiles), tile * tile, 2 * tile * tile * sizeof(float)>>>(M, N, P, width, tile);
}
