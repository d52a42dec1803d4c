// SPDX-License-Identifier: Apache-2.0
// mistake: the number of products in the last phase is width % 16, which is 0 where 16 divides width. Then the last
//   phase adds nothing. Width 16: P is all zeros; width 32: only columns 0 to 15 of M are used. Widths that are no
//   multiple of 16 come out right. The clamped loads (no zeros anywhere) are all right, because the inner loop
//   stops before the places that hold repeated elements.
// want: How many products does the last phase contribute for width 17? And for width 16, where it is the only one?
#include "tiled_matmul.h"

namespace {

constexpr int kTile = 16;
constexpr int kThreads = kTile * kTile;

__global__ void matmul_clamped(const float* __restrict__ M, const float* __restrict__ N, float* P, int width) {
  __shared__ float a[kThreads];
  __shared__ float b[kThreads];

  const int t = threadIdx.x;
  const int x = t & (kTile - 1);
  const int y = t / kTile;
  const int row = blockIdx.y * kTile + y;
  const int col = blockIdx.x * kTile + x;
  const int end = width - 1;
  const int safe_row = min(row, end);
  const int safe_col = min(col, end);

  const int phases = (width + kTile - 1) / kTile;
  float acc = 0.0f;
  for (int p = 0; p < phases; ++p) {
    // never outside: the nearest element that exists
    a[t] = M[safe_row * width + min(p * kTile + x, end)];
    b[t] = N[min(p * kTile + y, end) * width + safe_col];
    __syncthreads();

    // the last tiles are not full
    const int count = p == phases - 1 ? width % kTile : kTile;
    for (int i = 0; i < count; ++i) acc = fmaf(a[y * kTile + i], b[i * kTile + x], acc);
    __syncthreads();
  }

  if (max(row, col) < width) P[row * width + col] = acc;
}

}  // namespace

void tiled_matmul(const float* M, const float* N, float* P, int width) {
  const unsigned tiles = (width + kTile - 1) / kTile;
  matmul_clamped<<<dim3(tiles, tiles), kThreads>>>(M, N, P, width);
}
