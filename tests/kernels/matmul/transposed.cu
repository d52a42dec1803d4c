// SPDX-License-Identifier: Apache-2.0
// N is given transposed (column by column); its tile is turned while it is loaded (corner turning), into a
// padded array.
#include "tests/kernels/matmul/matrices.h"

#define TILE 16

__global__ void transpose(const float* in, float* out, int rows, int columns) {
  const int r = blockIdx.y * blockDim.y + threadIdx.y, c = blockIdx.x * blockDim.x + threadIdx.x;
  if (r < rows && c < columns) out[c * rows + r] = in[r * columns + c];
}

__global__ void matmul(const float* M, const float* Nt, float* P, int rows, int inner, int columns) {
  __shared__ float Mds[TILE][TILE];
  __shared__ float Nds[TILE][TILE + 1];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * TILE + ty, col = blockIdx.x * TILE + tx;
  float sum = 0;
  for (int first = 0; first < inner; first += TILE) {
    const int turned = blockIdx.x * TILE + ty;
    Mds[ty][tx] = row < rows && first + tx < inner ? M[row * inner + first + tx] : 0;
    Nds[tx][ty] = turned < columns && first + tx < inner ? Nt[turned * inner + first + tx] : 0;
    __syncthreads();
    for (int k = 0; k < TILE; ++k) sum += Mds[ty][k] * Nds[k][tx];
    __syncthreads();
  }
  if (row < rows && col < columns) P[row * columns + col] = sum;
}

int main() {
  TestProduct(40, 50, 30, [](const float* M, const float* N, float* P, int rows, int inner, int columns) {
    float* turned = OnDevice<float>(inner * columns);
    const dim3 block(TILE, TILE);
    transpose<<<dim3((columns + 15) / 16, (inner + 15) / 16), block>>>(N, turned, inner, columns);
    matmul<<<dim3((columns + 15) / 16, (rows + 15) / 16), block>>>(M, turned, P, rows, inner, columns);
    CUDA(cudaDeviceSynchronize());
    CUDA(cudaFree(turned));
  });
  return Result();
}
