// SPDX-License-Identifier: Apache-2.0
// mistake: M's tile has two copies and N's tile only one, but there is a single barrier in each phase. A warp that
//   is through with phase p writes Nds for phase p + 1 while another warp still reads phase p's Nds: a race. It
//   shows from two phases on, for example width 32 (or 17): warp 0 may overwrite Nds[0..1] before warp 7 has read
//   them. The single barrier is enough for Mds, which alternates.
// want: You need one barrier a phase because fast threads write where no slow thread still reads. Go through both
//   tiles: where does phase p + 1 write, and who may still be reading there?
#include "tiled_matmul.h"

constexpr int T = 16;

__global__ void mm_pingpong(const float* M, const float* N, float* P, int width) {
  __shared__ float Mds[2][T][T];  // ping-pong, so that one barrier a phase will do
  __shared__ float Nds[T][T];

  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * T + ty;
  const int col = blockIdx.x * T + tx;

  float sum = 0.0f;
  int now = 0;
  for (int base = 0; base < width; base += T) {
    Mds[now][ty][tx] = 0.0f;
    if (row < width && base + tx < width) Mds[now][ty][tx] = M[row * width + base + tx];

    float n = 0.0f;
    if (base + ty < width && col < width) n = N[(base + ty) * width + col];
    Nds[ty][tx] = n;
    __syncthreads();

#pragma unroll
    for (int k = 0; k < T; ++k) sum += Mds[now][ty][k] * Nds[k][tx];
    now ^= 1;
  }

  if (row >= width || col >= width) return;
  P[row * width + col] = sum;
}

void tiled_matmul(const float* M, const float* N, float* P, int width) {
  const int tiles = (width - 1) / T + 1;
  mm_pingpong<<<dim3(tiles, tiles), dim3(T, T)>>>(M, N, P, width);
}
