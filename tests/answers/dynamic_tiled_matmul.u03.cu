// SPDX-License-Identifier: Apache-2.0
// mistake: Two mistakes: what the whole phases leave of the inner product is added straight from global memory: each
//   thread then loads 2 x (width % tile) elements where a phase with tiles has 2. Width 31, tile 32: 31 x 31 x 62 =
//   59582 loads, and 2 x 1024 are allowed. And M's load does not check its row: width 6, tile 4, block (0, 1): rows 6
//   and 7 are read, M[36] and further of 36 elements. N's load without a check of the column is all right: where
//   the whole phases meet a column past the edge, there is still another row behind, and no such sum is stored.
// want: Count the loads of one thread from global memory for width 31 and tile 32, and compare with what the header
//   allows a block. (Then: which row of M do the lowest threads read for width 6, tile 4?)
#include "dynamic_tiled_matmul.h"

__global__ void dynamic_tiled_matmul_kernel(const float* M, const float* N, float* P, int width, int tile) {
  extern __shared__ float tiles[];
  float* Mds = tiles;
  float* Nds = Mds + blockDim.x * blockDim.y;

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * tile + ty;  // of P and of M
  const int col = blockIdx.x * tile + tx;  // of P and of N
  const int whole = width / tile;          // phases with full tiles
  const int place = ty * tile + tx;

  float sum = 0.0f;
  for (int phase = 0; phase < whole; ++phase) {
    // full tiles: m_col and n_row are below width
    Mds[place] = M[row * width + phase * tile + tx];
    Nds[place] = N[(phase * tile + ty) * width + col];
    __syncthreads();

    for (int k = 0; k < tile; ++k) {
      sum += Mds[ty * tile + k] * Nds[k * tile + tx];
    }
    __syncthreads();
  }

  if (row < width && col < width) {
    // the rest, less than a tile
    for (int i = whole * tile; i < width; ++i) {
      sum += M[row * width + i] * N[i * width + col];
    }
    P[row * width + col] = sum;
  }
}

void dynamic_tiled_matmul(const float* M, const float* N, float* P, int width, int tile) {
  const int tiles = (width + tile - 1) / tile;
  const dim3 block(tile, tile);
  const dim3 grid(tiles, tiles);

  const size_t bytes = 2 * sizeof(float) * tile * tile;
  dynamic_tiled_matmul_kernel<<<grid, block, bytes>>>(M, N, P, width, tile);
}
