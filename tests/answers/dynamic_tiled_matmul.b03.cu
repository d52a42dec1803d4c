// SPDX-License-Identifier: Apache-2.0
// mistake: the tile's width is a template parameter with three instances; a tile of another width is rounded up
//   to the next of them, so that block size and bytes are not the caller's (tile 5 runs with 8 x 8 threads).
// want: what block size and how many bytes does your launch have for tile = 5? The contract leaves the width to
//   the caller at run time: a template cannot take it over.
#include "dynamic_tiled_matmul.h"

// P = M x N. The compiler knows TILE, and unrolls the inner loop.
template <int TILE>
__global__ void dynamic_tiled_matmul_kernel(const float* M, const float* N, float* P, int width) {
  extern __shared__ float tiles[];
  float* Mds = tiles;
  float* Nds = tiles + TILE * TILE;

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * TILE + ty;
  const int col = blockIdx.x * TILE + tx;

  float sum = 0.0f;
  for (int phase = 0; phase < (width + TILE - 1) / TILE; ++phase) {
    const int m_col = phase * TILE + tx;
    const int n_row = phase * TILE + ty;
    Mds[ty * TILE + tx] = row < width && m_col < width ? M[row * width + m_col] : 0.0f;
    Nds[ty * TILE + tx] = n_row < width && col < width ? N[n_row * width + col] : 0.0f;
    __syncthreads();

#pragma unroll
    for (int k = 0; k < TILE; ++k) {
      sum += Mds[ty * TILE + k] * Nds[k * TILE + tx];
    }
    __syncthreads();
  }

  if (row < width && col < width) {
    P[row * width + col] = sum;
  }
}

template <int TILE>
static void launch(const float* M, const float* N, float* P, int width) {
  const int tiles = (width + TILE - 1) / TILE;
  const size_t bytes = 2 * TILE * TILE * sizeof(float);
  dynamic_tiled_matmul_kernel<TILE><<<dim3(tiles, tiles), dim3(TILE, TILE), bytes>>>(M, N, P, width);
}

void dynamic_tiled_matmul(const float* M, const float* N, float* P, int width, int tile) {
  if (tile <= 8) {
    launch<8>(M, N, P, width);
  } else if (tile <= 16) {
    launch<16>(M, N, P, width);
  } else {
    launch<32>(M, N, P, width);
  }
}
