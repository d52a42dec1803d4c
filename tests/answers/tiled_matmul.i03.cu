// SPDX-License-Identifier: Apache-2.0
// mistake: the tile is 4 x 4. The values are right for every width, but a row of a tile is 16 bytes, half a sector:
//   where width is a multiple of 32, the sectors loaded have twice the bytes that the threads ask for, 1.45 times is
//   allowed. (The block has only half a warp of threads besides.)
// want: The values are right; look at the loads. How many bytes is one row of your tile, and how many does the
//   hardware bring at least when a thread asks for one of them?
#include "tiled_matmul.h"

// small, so that I can follow it on paper
constexpr int kTile = 4;

__global__ void tiled_matmul_kernel(const float* M, const float* N, float* P, int width) {
  __shared__ float tm[kTile][kTile];
  __shared__ float tn[kTile][kTile];

  const int x = threadIdx.x, y = threadIdx.y;
  const int r = blockIdx.y * kTile + y;
  const int c = blockIdx.x * kTile + x;

  float total = 0.0f;
  int done = 0;
  while (done < width) {
    tm[y][x] = 0.0f;
    tn[y][x] = 0.0f;
    if (r < width && done + x < width) tm[y][x] = M[r * width + done + x];
    if (done + y < width && c < width) tn[y][x] = N[(done + y) * width + c];
    __syncthreads();

    for (int i = 0; i < kTile; ++i) total += tm[y][i] * tn[i][x];
    __syncthreads();
    done += kTile;
  }

  if (r >= width || c >= width) return;
  P[r * width + c] = total;
}

void tiled_matmul(const float* M, const float* N, float* P, int width) {
  const int t = (width + kTile - 1) / kTile;
  const dim3 block(kTile, kTile);
  const dim3 grid(t, t);
  tiled_matmul_kernel<<<grid, block>>>(M, N, P, width);
}
