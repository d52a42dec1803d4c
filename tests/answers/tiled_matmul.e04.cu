// SPDX-License-Identifier: Apache-2.0
// mistake: two buffers and one barrier per phase, but the barrier stands between the next load and the sum. A
//   fast warp goes on to the next phase and overwrites the buffer from which a slow one still sums (three
//   phases or more: width above 32).
// want: A warp has finished phase 0's sum and begins phase 1. Into which buffer does it load now, and who
//   may still be reading there? Which barrier keeps the two apart?

#include "tiled_matmul.h"

#define T 16

// Double buffering: while the block sums one pair of tiles, the next pair is on its way.
__global__ void tiled_matmul_kernel(const float* __restrict__ M, const float* __restrict__ N, float* P,
                                    int width) {
  __shared__ float Mds[2][T][T];
  __shared__ float Nds[2][T][T];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * T + ty;
  const int col = blockIdx.x * T + tx;
  const int phases = (width + T - 1) / T;

  auto load = [&](int phase) {
    const int buf = phase & 1;
    const int m_col = phase * T + tx;
    const int n_row = phase * T + ty;
    Mds[buf][ty][tx] = row < width && m_col < width ? M[row * width + m_col] : 0.0f;
    Nds[buf][ty][tx] = n_row < width && col < width ? N[n_row * width + col] : 0.0f;
  };

  load(0);

  float sum = 0.0f;
  for (int phase = 0; phase < phases; ++phase) {
    if (phase + 1 < phases) load(phase + 1);
    __syncthreads();  // everything is there. One is enough, because there are two buffers

    const int buf = phase & 1;
    for (int k = 0; k < T; ++k) {
      sum += Mds[buf][ty][k] * Nds[buf][k][tx];
    }
  }

  if (row < width && col < width) P[row * width + col] = sum;
}

void tiled_matmul(const float* M, const float* N, float* P, int width) {
  const int tiles = (width - 1) / T + 1;
  tiled_matmul_kernel<<<dim3(tiles, tiles), dim3(T, T)>>>(M, N, P, width);
}
