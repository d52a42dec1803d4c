// SPDX-License-Identifier: Apache-2.0
// finding: uninitialised, line 18, access read, object "shared array `of_m`"
// The tiles are filled as far as the matrices go, and threads that store their sum read all of them.
#include "tests/kernels/expect.h"

constexpr int kTile = 16;

__global__ void multiply(const float* m, const float* n, float* p, int width) {
  __shared__ float of_m[kTile][kTile], of_n[kTile][kTile];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * kTile + ty, column = blockIdx.x * kTile + tx;
  float sum = 0.0f;
  for (int phase = 0; phase < (width + kTile - 1) / kTile; ++phase) {
    const int of_row = phase * kTile + tx, of_column = phase * kTile + ty;
    if (row < width && of_row < width) of_m[ty][tx] = m[row * width + of_row];
    of_n[ty][tx] = column < width && of_column < width ? n[of_column * width + column] : 0.0f;
    __syncthreads();
    for (int i = 0; i < kTile; ++i) sum += of_m[ty][i] * of_n[i][tx];
    __syncthreads();
  }
  if (row < width && column < width) p[row * width + column] = sum;
}

int main() {
  constexpr int kWidth = 12;
  const auto m = Eighths(kWidth * kWidth), n = Eighths(kWidth * kWidth);
  multiply<<<dim3(1, 1), dim3(kTile, kTile)>>>(OnDevice(m), OnDevice(n), OnDevice<float>(kWidth * kWidth),
                                               kWidth);
  cudaDeviceSynchronize();
  return 0;
}
