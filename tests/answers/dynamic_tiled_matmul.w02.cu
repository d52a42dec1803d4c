// SPDX-License-Identifier: Apache-2.0
// mistake: A tile wider than the matrix is cut down to width before the launch. The caller chose it: a block
//   has to have tile x tile threads and 8 * tile * tile bytes. width 5, tile 16: the launch has 5 x 5 threads
//   and 200 bytes, not 16 x 16 and 2048. The values are right, and for tile <= width everything is (N's tile
//   lies transposed, written and read alike).
// want: The caller asks for tile = 16 with width 5. How many threads does your block have, and how many does
//   the contract promise?
#include "dynamic_tiled_matmul.h"

__global__ void dynamic_tiled_matmul_kernel(const float* M, const float* N, float* P, int width, int tile) {
  extern __shared__ unsigned char raw[];
  const int tile_bytes = tile * tile * int(sizeof(float));
  float* Mds = reinterpret_cast<float*>(raw);
  float* Nds = reinterpret_cast<float*>(raw + tile_bytes);

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * tile + ty;
  const int col = blockIdx.x * tile + tx;
  const int phases = width / tile + (width % tile != 0);

  float sum = 0.0f;
  for (int phase = 0; phase < phases; ++phase) {
    const int m_col = phase * tile + tx;
    const int n_row = phase * tile + ty;
    Mds[ty * tile + tx] = max(row, m_col) < width ? M[row * width + m_col] : 0.0f;
    // N's tile lies on its side, then both walk along a row below
    Nds[tx * tile + ty] = max(n_row, col) < width ? N[n_row * width + col] : 0.0f;
    __syncthreads();

    const float* m = Mds + ty * tile;
    const float* n = Nds + tx * tile;
    for (int k = 0; k < tile; ++k) sum += m[k] * n[k];
    __syncthreads();
  }

  if (max(row, col) < width) P[row * width + col] = sum;
}

void dynamic_tiled_matmul(const float* M, const float* N, float* P, int width, int tile) {
  // a tile larger than the matrix would only carry zeros around
  if (tile > width) tile = width;

  const int tiles = (width + tile - 1) / tile;
  dynamic_tiled_matmul_kernel<<<dim3(tiles, tiles), dim3(tile, tile), 2 * tile * tile * sizeof(float)>>>(
      M, N, P, width, tile);
}
