// SPDX-License-Identifier: Apache-2.0
// mistake: a block works on up to four tiles of P, one below the other; between the last phase of one and the
//   first load of the next there is no barrier. With an even number of phases the last one reads buffer 1, and
//   the load into buffer 0 disturbs nobody. With an odd number >= 3 (width 33 to 48, ...) a fast warp overwrites
//   buffer 0 while a slow one still sums from it: a race. (One barrier a phase is enough inside a tile.)
// want: Follow buffer 0 for width 40 from the last phase of the first tile to the first load of the second.
//   Who may still be reading it?
#include "tiled_matmul.h"

#define TW 16
#define STRIP 4

__global__ void strip_kernel(const float* __restrict__ M, const float* __restrict__ N, float* P, int width) {
  __shared__ float m_buf[2][TW][TW];
  __shared__ float n_buf[2][TW][TW];

  const int tx = threadIdx.x, ty = threadIdx.y;
  const int tiles = (width + TW - 1) / TW;
  const int col = blockIdx.x * TW + tx;

  auto fetch = [&](int row, int phase) {
    const int b = phase & 1;
    const int mc = phase * TW + tx, nr = phase * TW + ty;
    m_buf[b][ty][tx] = (row < width && mc < width) ? M[row * width + mc] : 0.f;
    n_buf[b][ty][tx] = (nr < width && col < width) ? N[nr * width + col] : 0.f;
  };

  for (int s = 0; s < STRIP; ++s) {
    const int tile_row = blockIdx.y * STRIP + s;
    if (tile_row >= tiles) break;  // the same for the whole block
    const int row = tile_row * TW + ty;

    float sum = 0.f;
    fetch(row, 0);
    for (int phase = 0; phase < tiles; ++phase) {
      __syncthreads();
      // the other buffer is free: everybody is past the barrier, so done with the phase before
      if (phase + 1 < tiles) fetch(row, phase + 1);
      const int b = phase & 1;
#pragma unroll
      for (int k = 0; k < TW; ++k) sum += m_buf[b][ty][k] * n_buf[b][k][tx];
    }
    if (row < width && col < width) P[row * width + col] = sum;
  }
}

void tiled_matmul(const float* M, const float* N, float* P, int width) {
  int tiles = (width + TW - 1) / TW;
  dim3 grid(tiles, (tiles + STRIP - 1) / STRIP);
  strip_kernel<<<grid, dim3(TW, TW)>>>(M, N, P, width);
}
