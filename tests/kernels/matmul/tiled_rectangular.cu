// SPDX-License-Identifier: Apache-2.0
// Rectangular matrices with tiles whose size is known at the launch only: dynamic shared memory.
#include "tests/kernels/matmul/matrices.h"

__global__ void matmul(const float* M, const float* N, float* P, int rows, int inner, int columns) {
  extern __shared__ float tiles[];
  const int tile = blockDim.x;
  float *Mds = tiles, *Nds = tiles + tile * tile;
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * tile + ty, col = blockIdx.x * tile + tx;
  float sum = 0;
  for (int first = 0; first < inner; first += tile) {
    Mds[ty * tile + tx] = row < rows && first + tx < inner ? M[row * inner + first + tx] : 0;
    Nds[ty * tile + tx] = first + ty < inner && col < columns ? N[(first + ty) * columns + col] : 0;
    __syncthreads();
    for (int k = 0; k < tile; ++k) sum = fmaf(Mds[ty * tile + k], Nds[k * tile + tx], sum);
    __syncthreads();
  }
  if (row < rows && col < columns) P[row * columns + col] = sum;
}

int main() {
  for (int tile : {4, 11, 32})
    TestProduct(37, 70, 21, [=](const float* M, const float* N, float* P, int rows, int inner, int columns) {
      const dim3 grid((columns + tile - 1) / tile, (rows + tile - 1) / tile);
      matmul<<<grid, dim3(tile, tile), 2 * tile * tile * sizeof(float)>>>(M, N, P, rows, inner, columns);
    });
  return Result();
}
