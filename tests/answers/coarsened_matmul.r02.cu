// SPDX-License-Identifier: Apache-2.0
// mistake: the tiles of the next phase are fetched ahead, and in the last phase, which has no next one, the last phase's
//   are fetched once more. So a block loads phases + 1 tiles of M and as many of N for each column of tiles: at width 32
//   each is loaded twice where once is allowed, at width 128 five quarters as often. Values and barriers are right.
// want: How many times does a block fetch from M when width is 32? Count the fetch before the loop, too.
#include "coarsened_matmul.h"

constexpr int kTile = 32;
constexpr int kTiles = 4;

struct Fetched {
  float m;
  float n[kTiles];
};

// What this thread brings to the tiles of one phase.
__device__ __forceinline__ Fetched fetch(const float* M, const float* N, int width, int phase, int row, int col) {
  Fetched f;
  const int m_col = phase * kTile + threadIdx.x;
  const int n_row = phase * kTile + threadIdx.y;
  f.m = row < width && m_col < width ? M[row * width + m_col] : 0.0f;
#pragma unroll
  for (int c = 0; c < kTiles; ++c) {
    const int n_col = col + c * kTile;
    f.n[c] = n_row < width && n_col < width ? N[n_row * width + n_col] : 0.0f;
  }
  return f;
}

__global__ void coarsened_matmul_kernel(const float* M, const float* N, float* P, int width) {
  __shared__ float Mds[kTile][kTile];
  __shared__ float Nds[kTile][kTile * kTiles];  // all four tiles, side by side as in P

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * kTile + ty;
  const int col = blockIdx.x * kTile * kTiles + tx;
  const int phases = (width + kTile - 1) / kTile;

  float sum[kTiles] = {0.0f, 0.0f, 0.0f, 0.0f};
  Fetched now = fetch(M, N, width, 0, row, col);

  for (int phase = 0; phase < phases; ++phase) {
    Mds[ty][tx] = now.m;
#pragma unroll
    for (int c = 0; c < kTiles; ++c) Nds[ty][c * kTile + tx] = now.n[c];
    __syncthreads();

    // On its way while we multiply; there is nothing behind the last phase.
    now = fetch(M, N, width, min(phase + 1, phases - 1), row, col);

    for (int k = 0; k < kTile; ++k) {
      const float m = Mds[ty][k];
#pragma unroll
      for (int c = 0; c < kTiles; ++c) sum[c] += m * Nds[k][c * kTile + tx];
    }
    __syncthreads();
  }

  if (row >= width) return;
#pragma unroll
  for (int c = 0; c < kTiles; ++c) {
    const int at = col + c * kTile;
    if (at < width) P[row * width + at] = sum[c];
  }
}

void coarsened_matmul(const float* M, const float* N, float* P, int width) {
  const dim3 grid((width + kTile * kTiles - 1) / (kTile * kTiles), (width + kTile - 1) / kTile);
  coarsened_matmul_kernel<<<grid, dim3(kTile, kTile)>>>(M, N, P, width);
}
