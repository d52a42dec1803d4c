// SPDX-License-Identifier: Apache-2.0
// differs: N's tile lies before M's, and M's lies turned (column after column); sums go from the last product to the
// first. Windows line ends.

#include "dynamic_tiled_matmul.h"

__global__ void turned_kernel(const float* M, const float* N, float* P, int width, int tile) {
  extern __shared__ float array[];
  float* const Nds = &array[0];
  float* const Mds = &array[tile * tile];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * tile + ty, col = blockIdx.x * tile + tx;

  float sum = 0.0f;
  for (int phase = (width + tile - 1) / tile; phase-- > 0;) {
    const int m_col = phase * tile + tx, n_row = phase * tile + ty;
    float m = 0.0f, n = 0.0f;
    if (row < width && m_col < width) m = M[row * width + m_col];
    if (col < width && n_row < width) n = N[n_row * width + col];
    Mds[tx * tile + ty] = m;
    Nds[ty * tile + tx] = n;
    __syncthreads();
    for (int k = tile - 1; k >= 0; --k) sum += Mds[k * tile + ty] * Nds[k * tile + tx];
    __syncthreads();
  }
  if (row < width && col < width) P[row * width + col] = sum;
}

void dynamic_tiled_matmul(const float* M, const float* N, float* P, int width, int tile) {
  const unsigned blocks = static_cast<unsigned>((width + tile - 1) / tile);
  const unsigned side = static_cast<unsigned>(tile);
  turned_kernel<<<dim3{blocks, blocks}, dim3{side, side}, sizeof(float[2]) * side * side>>>(M, N, P, width, tile);
}
