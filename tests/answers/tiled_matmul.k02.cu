// SPDX-License-Identifier: Apache-2.0
// mistake: one-dimensional block of 256 threads, and the column in the tile is t / 16, the row t % 16: neighbouring
//   threads read down a column of M and of N. The values are right; each sector of 32 bytes brings 8 bytes that are
//   wanted.
// want: Where do threads 0, 1 and 2 of a warp read in M? Which of the two, row or column, should go on with each
//   thread, so that neighbours in the warp are neighbours in memory?
#include "tiled_matmul.h"

constexpr int kSide = 16;
constexpr int kThreads = kSide * kSide;

__global__ void tiled_1d(const float* M, const float* N, float* P, int width) {
  __shared__ float a[kSide][kSide];
  __shared__ float b[kSide][kSide];

  // 256 threads in one line -> place in the tile
  const int t = threadIdx.x;
  const int tileCol = t / kSide;
  const int tileRow = t % kSide;

  const int row = blockIdx.y * kSide + tileRow;
  const int col = blockIdx.x * kSide + tileCol;

  float result = 0.0f;
  for (int start = 0; start < width; start += kSide) {
    float fromM = 0.0f;
    float fromN = 0.0f;
    if (row < width && start + tileCol < width) fromM = M[row * width + start + tileCol];
    if (start + tileRow < width && col < width) fromN = N[(start + tileRow) * width + col];
    a[tileRow][tileCol] = fromM;
    b[tileRow][tileCol] = fromN;
    __syncthreads();

    for (int i = 0; i < kSide; ++i) {
      result += a[tileRow][i] * b[i][tileCol];
    }
    __syncthreads();
  }

  if (row < width && col < width) {
    P[row * width + col] = result;
  }
}

void tiled_matmul(const float* M, const float* N, float* P, int width) {
  const int n = (width + kSide - 1) / kSide;
  const dim3 grid(n, n);
  tiled_1d<<<grid, kThreads>>>(M, N, P, width);
}
