// SPDX-License-Identifier: Apache-2.0
// mistake: The number of phases comes from j, the length of Mt's rows, instead of k. With j = 32 and k = 64 there is one
//   phase instead of two, and each sum lacks its last 32 products. Where j is at least k (in whole tiles of 32) the
//   superfluous phases hold only zeros, and the values are right.
// want: How many products make one element of P? And how many do your phases cover with j = 32 and k = 64?
#include "rect_tiled_transposed.h"

namespace {
constexpr int T = 32;

__host__ __device__ constexpr int tiles_for(int side) { return side / T + (side % T != 0); }

__global__ void mt_times_n(const float* Mt, const float* N, float* P, int j, int k, int l) {
  __shared__ float mt[T][T];
  __shared__ float n[T][T + 1];

  const int x = threadIdx.x;
  const int y = threadIdx.y;
  const int p_row = blockIdx.y * T + y;
  const int p_col = blockIdx.x * T + x;
  const int mt_col = blockIdx.y * T + x;

  // Mt is walked through along its side, tile by tile.
  const int phases = tiles_for(j);

  float sum = 0.0f;
  for (int phase = 0; phase < phases; ++phase) {
    const int r = phase * T + y;  // the row that we load of Mt and of N
    mt[y][x] = 0.0f;
    n[x][y] = 0.0f;
    if (r < k) {
      if (mt_col < j) mt[y][x] = Mt[r * j + mt_col];
      if (p_col < l) n[x][y] = N[r * l + p_col];
    }
    __syncthreads();
#pragma unroll 8
    for (int i = 0; i < T; ++i) sum += mt[i][y] * n[x][i];
    __syncthreads();
  }
  if (p_row < j && p_col < l) P[p_row * l + p_col] = sum;
}
}  // namespace

void rect_tiled_transposed(const float* Mt, const float* N, float* P, int j, int k, int l) {
  if (j == 0 || l == 0) return;
  mt_times_n<<<dim3(tiles_for(l), tiles_for(j)), dim3(T, T)>>>(Mt, N, P, j, k, l);
}
