// SPDX-License-Identifier: Apache-2.0
// mistake: The filter is turned by 180 degrees: coefficient (4 - i, 4 - j) is multiplied with the element for which
//   the contract asks for coefficient (i, j). That is what mathematics calls a convolution, but not what the
//   contract says. Shows for every filter that changes when turned (an edge filter); a blur filter hides it.
// want: Take a filter whose only coefficient that isn't 0 is (0, 0). Which element of input should output(5, 5) then
//   be by the formula in convolution.h, and which one is it in your kernel?

#include "convolution.h"

constexpr int kWidth = 2 * kRadius + 1;
constexpr int kTileX = 32;
constexpr int kTileY = 16;
constexpr int kInX = kTileX + 2 * kRadius;
constexpr int kInY = kTileY + 2 * kRadius;

__constant__ float kernel_weights[kWidth][kWidth];

// Discrete convolution: (f * g)(n) = sum over m of f(m) g(n - m). So the filter runs backwards.
__global__ void convolution_kernel(const float* input, float* output, int rows, int columns) {
  __shared__ float tile[kInY][kInX];

  const int row0 = (int)blockIdx.y * kTileY;
  const int column0 = (int)blockIdx.x * kTileX;

  for (int y = threadIdx.y; y < kInY; y += kTileY) {
    for (int x = threadIdx.x; x < kInX; x += kTileX) {
      const int r = row0 + y - kRadius;
      const int c = column0 + x - kRadius;
      tile[y][x] = r >= 0 && r < rows && c >= 0 && c < columns ? input[r * columns + c] : 0.0f;
    }
  }
  __syncthreads();

  const int row = row0 + threadIdx.y;
  const int column = column0 + threadIdx.x;
  if (row < rows && column < columns) {
    float sum = 0.0f;
    for (int i = 0; i < kWidth; ++i) {
      for (int j = 0; j < kWidth; ++j) {
        sum += kernel_weights[kWidth - 1 - i][kWidth - 1 - j] * tile[threadIdx.y + i][threadIdx.x + j];
      }
    }
    output[row * columns + column] = sum;
  }
}

void convolution(const float* input, const float* filter, float* output, int rows, int columns) {
  cudaMemcpyToSymbol(kernel_weights, filter, sizeof(float) * kWidth * kWidth, 0, cudaMemcpyDeviceToDevice);
  const dim3 block(kTileX, kTileY);
  const dim3 grid((columns + kTileX - 1) / kTileX, (rows + kTileY - 1) / kTileY);
  convolution_kernel<<<grid, block>>>(input, output, rows, columns);
}
