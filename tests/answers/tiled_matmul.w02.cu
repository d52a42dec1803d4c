// SPDX-License-Identifier: Apache-2.0
// mistake: The registers a and b, into which the next phase's elements are fetched ahead, are zeroed only once
//   before the loop. In the last, partial phase a thread whose element does not exist keeps the value of the
//   phase before and puts it into the tile once more. Width 17: in phase 1 tx >= 1 still holds M[row][tx] and
//   ty >= 1 still N[ty][col], so the products 1 to 15 are added a second time. Widths below 16 and multiples
//   of 16 are right.
// want: With width 17, what does the thread with tx = 3 put into Mds in phase 1, and where does that value
//   come from?
#include "tiled_matmul.h"

#define TILE_WIDTH 16

// Software pipelining: while the tile of this phase is multiplied, the loads for the next one are under way.
__global__ void tiled_matmul_kernel(const float* M, const float* N, float* P, int width) {
  __shared__ float Mds[TILE_WIDTH][TILE_WIDTH];
  __shared__ float Nds[TILE_WIDTH][TILE_WIDTH];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * TILE_WIDTH + ty;
  const int col = blockIdx.x * TILE_WIDTH + tx;

  const int phases = (width - 1) / TILE_WIDTH + 1;

  float a = 0.0f, b = 0.0f;  // zero is what belongs where nothing exists

  auto fetch = [&](int phase) {
    const int m_col = phase * TILE_WIDTH + tx;
    const int n_row = phase * TILE_WIDTH + ty;
    if (row < width && m_col < width) a = M[row * width + m_col];
    if (n_row < width && col < width) b = N[n_row * width + col];
  };

  fetch(0);
  float sum = 0.0f;
  for (int phase = 0; phase < phases; ++phase) {
    Mds[ty][tx] = a;
    Nds[ty][tx] = b;
    __syncthreads();

    if (phase + 1 < phases) fetch(phase + 1);

    for (int k = 0; k < TILE_WIDTH; ++k) sum += Mds[ty][k] * Nds[k][tx];
    __syncthreads();
  }

  if (row < width && col < width) P[row * width + col] = sum;
}

void tiled_matmul(const float* M, const float* N, float* P, int width) {
  const int tiles = (width - 1) / TILE_WIDTH + 1;
  tiled_matmul_kernel<<<dim3(tiles, tiles), dim3(TILE_WIDTH, TILE_WIDTH)>>>(M, N, P, width);
}
