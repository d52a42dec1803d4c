// SPDX-License-Identifier: Apache-2.0
// differs: blocks of 32 x 8 threads: a thread has four rows in each of the four tiles, sixteen sums. Windows line ends.

#include "coarsened_matmul.h"

constexpr int kSide = 32, kTiles = 4, kHigh = 8, kRows = kSide / kHigh;

__global__ void __launch_bounds__(kSide* kHigh) sixteen_sums(const float* M, const float* N, float* P, int width) {
  __shared__ float m[kSide][kSide], n[kSide][kSide];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int top = blockIdx.y * kSide, left = blockIdx.x * kSide * kTiles;

  float sum[kTiles][kRows] = {};
  for (int first = 0; first < width; first += kSide) {
#pragma unroll
    for (int r = ty; r < kSide; r += kHigh)
      m[r][tx] = top + r < width && first + tx < width ? M[(top + r) * width + first + tx] : 0.0f;
#pragma unroll
    for (int c = 0; c < kTiles; ++c) {
      const int col = left + c * kSide + tx;
#pragma unroll
      for (int r = ty; r < kSide; r += kHigh)
        n[r][tx] = first + r < width && col < width ? N[(first + r) * width + col] : 0.0f;
      __syncthreads();
#pragma unroll 8
      for (int k = 0; k < kSide; ++k)
#pragma unroll
        for (int r = 0; r < kRows; ++r) sum[c][r] += m[ty + r * kHigh][k] * n[k][tx];
      __syncthreads();
    }
  }

#pragma unroll
  for (int c = 0; c < kTiles; ++c)
#pragma unroll
    for (int r = 0; r < kRows; ++r) {
      const int row = top + ty + r * kHigh, col = left + c * kSide + tx;
      if (row < width && col < width) P[row * width + col] = sum[c][r];
    }
}

void coarsened_matmul(const float* M, const float* N, float* P, int width) {
  sixteen_sums<<<dim3((width + 127) / 128, (width + 31) / 32), dim3(kSide, kHigh)>>>(M, N, P, width);
}
