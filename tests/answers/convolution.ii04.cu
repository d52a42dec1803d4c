// SPDX-License-Identifier: Apache-2.0
// mistake: The test for the halo compares the row with columns and the column with rows. In a square matrix
//   nothing shows. With more columns than rows, elements of the last columns count as 0, and rows below the
//   matrix are read (behind the end of input); with more rows than columns, the other way round.
// want: Which of your tests had rows != columns? Take 1 row and 40 columns: is element (0, 30) loaded, and is
//   element (1, 0), which does not exist?

#include "convolution.h"

constexpr int kWidth = 2 * kRadius + 1;
constexpr int kTile = 32;
constexpr int kRowsPerBlock = 8;  // threads in y: each computes 4 rows
constexpr int kPadded = kTile + 2 * kRadius;

__constant__ float weights[kWidth][kWidth];

__device__ float element(const float* input, int x, int y, int rows, int columns) {
  if (x < 0 || x >= rows || y < 0 || y >= columns) return 0.0f;
  return input[y * columns + x];
}

__global__ void convolution_kernel(const float* input, float* output, int rows, int columns) {
  __shared__ float tile[kPadded][kPadded];
  const int x0 = blockIdx.x * kTile;
  const int y0 = blockIdx.y * kTile;

  for (int y = threadIdx.y; y < kPadded; y += kRowsPerBlock) {
    for (int x = threadIdx.x; x < kPadded; x += kTile) {
      tile[y][x] = element(input, x0 + x - kRadius, y0 + y - kRadius, rows, columns);
    }
  }
  __syncthreads();

  const int x = x0 + threadIdx.x;
  for (int ty = threadIdx.y; ty < kTile; ty += kRowsPerBlock) {
    const int y = y0 + ty;
    if (x < columns && y < rows) {
      float sum = 0;
      for (int i = 0; i < kWidth; ++i) {
        for (int j = 0; j < kWidth; ++j) sum += weights[i][j] * tile[ty + i][threadIdx.x + j];
      }
      output[y * columns + x] = sum;
    }
  }
}

void convolution(const float* input, const float* filter, float* output, int rows, int columns) {
  cudaMemcpyToSymbol(weights, filter, sizeof weights, 0, cudaMemcpyDeviceToDevice);
  dim3 block(kTile, kRowsPerBlock);
  dim3 grid((columns + kTile - 1) / kTile, (rows + kTile - 1) / kTile);
  convolution_kernel<<<grid, block>>>(input, output, rows, columns);
}
