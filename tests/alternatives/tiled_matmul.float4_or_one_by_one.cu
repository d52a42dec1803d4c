// SPDX-License-Identifier: Apache-2.0
// differs: a thread loads four neighbours of each tile, as a float4 where rows are aligned and one by one elsewhere, and
// computes four rows of a column.

#include "tiled_matmul.h"

// 32 x 32 tiles, 256 threads.
__global__ void by_fours(const float* M, const float* N, float* P, int width) {
  __shared__ float4 Mds[32][8], Nds[32][8];
  const int t = threadIdx.x, y = t / 8, x = t % 8, top = blockIdx.y * 32, left = blockIdx.x * 32;
  const int column = t % 32, first_row = t / 32 * 4;
  const auto four = [width](const float* matrix, int row, int col) {
    const float* from = matrix + row * width + col;
    if (row < width && width % 4 == 0 && col < width) return *reinterpret_cast<const float4*>(from);
    float4 v = make_float4(0, 0, 0, 0);
    if (row < width && col < width) v.x = from[0];
    if (row < width && col + 1 < width) v.y = from[1];
    if (row < width && col + 2 < width) v.z = from[2];
    if (row < width && col + 3 < width) v.w = from[3];
    return v;
  };
  float sum[4] = {};
  for (int first = 0; first < width; first += 32) {
    Mds[y][x] = four(M, top + y, first + 4 * x);
    Nds[y][x] = four(N, first + y, left + 4 * x);
    __syncthreads();
    for (int k = 0; k < 32 && first + k < width; ++k) {
      const float n = reinterpret_cast<const float*>(Nds[k])[column];
      for (int r = 0; r < 4; ++r) sum[r] += reinterpret_cast<const float*>(Mds[first_row + r])[k] * n;
    }
    __syncthreads();
  }
  for (int r = 0; r < 4; ++r) {
    const int row = top + first_row + r, col = left + column;
    if (row < width && col < width) P[row * width + col] = sum[r];
  }
}

void tiled_matmul(const float* M, const float* N, float* P, int width) {
  const int tiles = (width + 31) / 32;
  by_fours<<<dim3(tiles, tiles), 256>>>(M, N, P, width);
}
