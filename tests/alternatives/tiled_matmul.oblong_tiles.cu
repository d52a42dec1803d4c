// SPDX-License-Identifier: Apache-2.0
// differs: blocks of 32 x 8 threads, tiles of 8 x 24 and 24 x 32: the tiles of M and of N have different shapes, and
// neither is square.

#include "tiled_matmul.h"

template <int ROWS, int DEPTH, int COLS>
__global__ void oblong_kernel(const float* M, const float* N, float* P, int width) {
  __shared__ float Mds[ROWS][DEPTH];
  __shared__ float Nds[DEPTH][COLS];

  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * ROWS + ty;
  const int col = blockIdx.x * COLS + tx;

  float sum = 0.0f;
  for (int first = 0; first < width; first += DEPTH) {
    for (int d = tx; d < DEPTH; d += COLS) {
      Mds[ty][d] = row < width && first + d < width ? M[row * width + first + d] : 0.0f;
    }
    for (int d = ty; d < DEPTH; d += ROWS) {
      Nds[d][tx] = first + d < width && col < width ? N[(first + d) * width + col] : 0.0f;
    }
    __syncthreads();
    for (int d = 0; d < DEPTH; ++d) sum += Mds[ty][d] * Nds[d][tx];
    __syncthreads();
  }

  if (row < width && col < width) P[row * width + col] = sum;
}

void tiled_matmul(const float* M, const float* N, float* P, int width) {
  oblong_kernel<8, 24, 32><<<dim3((width + 31) / 32, (width + 7) / 8), dim3(32, 8)>>>(M, N, P, width);
}
