// SPDX-License-Identifier: Apache-2.0
// mistake: coarsens in the wrong direction: a block computes four tiles one below the other, reusing N's tile, instead of
//   side by side, reusing M's. P is right, but from width 33 on M is loaded too often.
// want: Which of the two matrices is the same for tiles of P that lie side by side, and which for tiles one below the
//   other? How often do all your blocks together load M at width 128?
#include "coarsened_matmul.h"

#define TILE 32
#define FACTOR 4

__global__ void matmul4(const float* M, const float* N, float* P, int width) {
  __shared__ float ms[TILE][TILE];
  __shared__ float ns[TILE][TILE];

  const int tx = threadIdx.x, ty = threadIdx.y;
  const int col = blockIdx.x * TILE + tx;
  const int row0 = blockIdx.y * (TILE * FACTOR) + ty;

  float acc[FACTOR];
  for (int i = 0; i < FACTOR; ++i) acc[i] = 0.0f;

  for (int p = 0; p < width; p += TILE) {
    // loaded once, used by all four tiles
    ns[ty][tx] = (p + ty < width && col < width) ? N[(p + ty) * width + col] : 0.0f;

    for (int i = 0; i < FACTOR; ++i) {
      const int row = row0 + i * TILE;
      ms[ty][tx] = (row < width && p + tx < width) ? M[row * width + p + tx] : 0.0f;
      __syncthreads();
      for (int k = 0; k < TILE; ++k) acc[i] += ms[ty][k] * ns[k][tx];
      __syncthreads();
    }
  }

  for (int i = 0; i < FACTOR; ++i) {
    const int row = row0 + i * TILE;
    if (row < width && col < width) P[row * width + col] = acc[i];
  }
}

void coarsened_matmul(const float* M, const float* N, float* P, int width) {
  const int span = TILE * FACTOR;
  const dim3 block(TILE, TILE);
  const dim3 grid((width + TILE - 1) / TILE, (width + span - 1) / span);
  matmul4<<<grid, block>>>(M, N, P, width);
}
