// SPDX-License-Identifier: Apache-2.0
// mistake: two extern __shared__ arrays do not lie one after the other: both begin at the same address, that of the
//   launch's bytes. N's tile overwrites M's: width 1, tile 1, M = 2, N = 3 gives 9 and not 6. The bytes passed (8 x
//   tile x tile) are right, and so are M's tile kept turned round and the inner loop cut to what exists.
// want: At which address does the first of your extern arrays begin, and at which the second? Who could have told the
//   compiler how long the first one is?
#include "dynamic_tiled_matmul.h"

extern __shared__ float m_tile[];
extern __shared__ float n_tile[];

__global__ void dynamic_tiled_matmul_kernel(const float* M, const float* N, float* P, int width, int tile) {
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * tile + ty;
  const int col = blockIdx.x * tile + tx;

  float sum = 0.0f;
  for (int done = 0; done < width; done += tile) {
    // m_tile[column][row], n_tile[row][column]
    m_tile[tx * tile + ty] = row < width && done + tx < width ? M[row * width + done + tx] : 0.0f;
    n_tile[ty * tile + tx] = done + ty < width && col < width ? N[(done + ty) * width + col] : 0.0f;
    __syncthreads();

    const int here = min(tile, width - done);
    for (int k = 0; k < here; ++k) {
      sum += m_tile[k * tile + ty] * n_tile[k * tile + tx];
    }
    __syncthreads();
  }

  if (row < width && col < width) P[row * width + col] = sum;
}

void dynamic_tiled_matmul(const float* M, const float* N, float* P, int width, int tile) {
  const int tiles = (width + tile - 1) / tile;
  const size_t one = sizeof(float) * tile * tile;
  dynamic_tiled_matmul_kernel<<<dim3(tiles, tiles), dim3(tile, tile), one + one>>>(M, N, P, width, tile);
}
