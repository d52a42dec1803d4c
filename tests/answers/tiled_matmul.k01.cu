// SPDX-License-Identifier: Apache-2.0
// mistake: double buffering with the prefetch in front of the barrier: the tile of phase p + 1 goes into the buffer
//   that other threads may still be reading in phase p - 1. From three phases on (width above 16) this is a race.
// want: While you fetch the tile for phase p + 1: which buffer does it go into, and who read that buffer last? What
//   says that they are all done with it?
#include "tiled_matmul.h"

#define TW 8

// my version with two buffers, so one barrier in each phase is enough
__global__ void matmul_pingpong(const float* M, const float* N, float* P, int width) {
  __shared__ float bufM[2][TW][TW];
  __shared__ float bufN[2][TW][TW];

  const int x = threadIdx.x;
  const int y = threadIdx.y;
  const int r = blockIdx.y * TW + y;
  const int c = blockIdx.x * TW + x;
  const int steps = (width + TW - 1) / TW;

  // first tiles
  bufM[0][y][x] = (r < width && x < width) ? M[r * width + x] : 0.0f;
  bufN[0][y][x] = (y < width && c < width) ? N[y * width + c] : 0.0f;

  float acc = 0.0f;
  for (int p = 0; p < steps; ++p) {
    const int cur = p % 2;

    // bring the next ones into the other buffer, nobody computes with it now
    if (p + 1 < steps) {
      const int mc = (p + 1) * TW + x;
      const int nr = (p + 1) * TW + y;
      bufM[1 - cur][y][x] = (r < width && mc < width) ? M[r * width + mc] : 0.0f;
      bufN[1 - cur][y][x] = (nr < width && c < width) ? N[nr * width + c] : 0.0f;
    }
    __syncthreads();

    for (int i = 0; i < TW; ++i) acc += bufM[cur][y][i] * bufN[cur][i][x];
  }

  if (r < width && c < width) P[r * width + c] = acc;
}

void tiled_matmul(const float* M, const float* N, float* P, int width) {
  const int t = (width + TW - 1) / TW;
  matmul_pingpong<<<dim3(t, t), dim3(TW, TW)>>>(M, N, P, width);
}
