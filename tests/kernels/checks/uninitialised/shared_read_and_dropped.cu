// SPDX-License-Identifier: Apache-2.0
// clean
// Threads below and beside the matrix read places of the tiles that nobody has filled. They store nothing of
// what comes of it, so that the product is right whatever stands there.
#include "tests/kernels/matmul/matrices.h"

constexpr int kTile = 16;

__global__ void multiply(const float* m, const float* n, float* p, int width) {
  __shared__ float of_m[kTile][kTile], of_n[kTile][kTile];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * kTile + ty, column = blockIdx.x * kTile + tx;
  float sum = 0.0f;
  for (int phase = 0; phase < (width + kTile - 1) / kTile; ++phase) {
    const int of_row = phase * kTile + tx, of_column = phase * kTile + ty;
    if (row < width) of_m[ty][tx] = of_row < width ? m[row * width + of_row] : 0.0f;
    if (column < width) of_n[ty][tx] = of_column < width ? n[of_column * width + column] : 0.0f;
    __syncthreads();
    for (int i = 0; i < kTile; ++i) sum += of_m[ty][i] * of_n[i][tx];
    __syncthreads();
  }
  if (row < width && column < width) p[row * width + column] = sum;
}

int main() {
  TestProduct(20, 20, 20, [](const float* m, const float* n, float* p, int width, int, int) {
    multiply<<<dim3(2, 2), dim3(kTile, kTile)>>>(m, n, p, width);
  });
  return Result();
}
