// SPDX-License-Identifier: Apache-2.0
// mistake: The kernel turns the filter round by 180 degrees, as the mathematical convolution does. The contract's
//   formula multiplies filter(i, j) by the element i - 2 rows and j - 2 columns away. Wrong for every filter that
//   does not stay the same when turned; right for box, Gaussian and other symmetric ones.
// want: Compute output(0, 0) of a matrix by the contract's formula with a filter that is 1 at (2, 3) and 0 elsewhere.
//   Which element of input is it, and which one does your kernel take?

#include "convolution.h"

constexpr int kWidth = 2 * kRadius + 1;
constexpr int kTile = 32;
constexpr int kSide = kTile + 2 * kRadius;

__constant__ float mask[kWidth * kWidth];

__global__ void convolve(const float* __restrict__ input, float* __restrict__ output, int rows, int columns) {
  __shared__ float tile[kSide][kSide + 1];
  for (int y = threadIdx.y; y < kSide; y += blockDim.y) {
    const int r = blockIdx.y * kTile + y - kRadius;
    for (int x = threadIdx.x; x < kSide; x += blockDim.x) {
      const int c = blockIdx.x * kTile + x - kRadius;
      const bool inside = r >= 0 && r < rows && c >= 0 && c < columns;
      tile[y][x] = inside ? input[r * columns + c] : 0.0f;
    }
  }
  __syncthreads();

  const int column = blockIdx.x * kTile + threadIdx.x;
  if (column >= columns) return;
#pragma unroll 4
  for (int y = threadIdx.y; y < kTile; y += blockDim.y) {
    const int row = blockIdx.y * kTile + y;
    if (row >= rows) break;
    float sum = 0.0f;
    // (f * g)(n) = sum over m of f(m) g(n - m)
    for (int i = 0; i < kWidth; ++i) {
      for (int j = 0; j < kWidth; ++j) {
        sum += mask[(kWidth - 1 - i) * kWidth + (kWidth - 1 - j)] * tile[y + i][threadIdx.x + j];
      }
    }
    output[row * columns + column] = sum;
  }
}

void convolution(const float* input, const float* filter, float* output, int rows, int columns) {
  cudaMemcpyToSymbol(mask, filter, sizeof(mask), 0, cudaMemcpyDeviceToDevice);
  const dim3 grid((columns + kTile - 1) / kTile, (rows + kTile - 1) / kTile);
  convolve<<<grid, dim3(kTile, 8)>>>(input, output, rows, columns);
}
