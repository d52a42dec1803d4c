// SPDX-License-Identifier: Apache-2.0
// mistake: the function returns where any side is 0; with k = 0 and j, l > 0 P's elements are sums of no products and
//   have to be stored as 0. j = 2, k = 0, l = 3: P keeps its six old values. (By the way the product of the three
//   sides may overflow an int: 2048 x 2048 x 1024 gives 0 as well.) The kernel is right: Mds[tx][..] holds the tile
//   turned back, and each thread computes four rows.
// want: What has P to hold after the call for j = 2, k = 0, l = 3? Who stores it?
#include "rect_tiled_transposed.h"

constexpr int kTile = 32;
constexpr int kLines = 8;  // rows of threads
constexpr int kEach = kTile / kLines;

__global__ void transposed_kernel(const float* Mt, const float* N, float* P, int j, int k, int l) {
  __shared__ float Mds[kTile][kTile];  // as M has it: [row][i]
  __shared__ float Nds[kTile][kTile];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row0 = blockIdx.y * kTile;
  const int col = blockIdx.x * kTile + tx;

  float sum[kEach] = {};
  for (int i0 = 0; i0 < k; i0 += kTile) {
    for (int y = ty; y < kTile; y += kLines) {
      const bool there = i0 + y < k;
      Mds[tx][y] = there && row0 + tx < j ? Mt[(i0 + y) * j + row0 + tx] : 0.0f;
      Nds[y][tx] = there && col < l ? N[(i0 + y) * l + col] : 0.0f;
    }
    __syncthreads();
    for (int i = 0; i < kTile; ++i) {
      const float n = Nds[i][tx];
      for (int e = 0; e < kEach; ++e) sum[e] += Mds[ty + e * kLines][i] * n;
    }
    __syncthreads();
  }

  for (int e = 0; e < kEach; ++e) {
    const int row = row0 + ty + e * kLines;
    if (row < j && col < l) P[row * l + col] = sum[e];
  }
}

void rect_tiled_transposed(const float* Mt, const float* N, float* P, int j, int k, int l) {
  if (j * k * l == 0) return;  // nothing to compute

  const dim3 block(kTile, kLines);
  const dim3 grid((l + kTile - 1) / kTile, (j + kTile - 1) / kTile);
  transposed_kernel<<<grid, block>>>(Mt, N, P, j, k, l);
}
