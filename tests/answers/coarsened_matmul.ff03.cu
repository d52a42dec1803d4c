// SPDX-License-Identifier: Apache-2.0
// mistake: Two mistakes: N is loaded as float4 wherever four columns exist, but a row begins at a multiple of 16
//   bytes only where width is a multiple of 4: with width 5, row 1 begins at byte 20, a misaligned address. And
//   no barrier stands between the products of one phase and the loads of the next into the same tiles, a race
//   from width 33 on. A thread's four columns are neighbours here, which is right.
// want: At which byte does row 1 of N begin when width is 5? What does a load of a float4 ask of its address?
#include "coarsened_matmul.h"

#define TILE_WIDTH 32
#define SPAN 128  // four tiles

__global__ void coarsened_matmul_kernel(const float* M, const float* N, float* P, int width) {
  __shared__ float Mds[TILE_WIDTH][TILE_WIDTH];
  __shared__ float4 Nds[TILE_WIDTH][SPAN / 4];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * TILE_WIDTH + ty;
  const int col = blockIdx.x * SPAN + 4 * tx;  // and the three behind it

  float4 sum = make_float4(0.0f, 0.0f, 0.0f, 0.0f);

  for (int phase = 0; phase < (width + TILE_WIDTH - 1) / TILE_WIDTH; ++phase) {
    const int m_col = phase * TILE_WIDTH + tx;
    const int n_row = phase * TILE_WIDTH + ty;
    Mds[ty][tx] = row < width && m_col < width ? M[row * width + m_col] : 0.0f;

    float4 n = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    if (n_row < width) {
      const float* p = N + n_row * width + col;
      if (col + 3 < width) {
        n = *reinterpret_cast<const float4*>(p);
      } else {  // the right edge, one by one
        if (col < width) n.x = p[0];
        if (col + 1 < width) n.y = p[1];
        if (col + 2 < width) n.z = p[2];
      }
    }
    Nds[ty][tx] = n;
    __syncthreads();

    for (int k = 0; k < TILE_WIDTH; ++k) {
      const float m = Mds[ty][k];
      const float4 v = Nds[k][tx];
      sum.x += m * v.x;
      sum.y += m * v.y;
      sum.z += m * v.z;
      sum.w += m * v.w;
    }
  }

  if (row >= width) return;
  float* p = P + row * width + col;
  if (col < width) p[0] = sum.x;
  if (col + 1 < width) p[1] = sum.y;
  if (col + 2 < width) p[2] = sum.z;
  if (col + 3 < width) p[3] = sum.w;
}

void coarsened_matmul(const float* M, const float* N, float* P, int width) {
  const dim3 block(TILE_WIDTH, TILE_WIDTH);
  const dim3 grid((width + SPAN - 1) / SPAN, (width + TILE_WIDTH - 1) / TILE_WIDTH);
  coarsened_matmul_kernel<<<grid, block>>>(M, N, P, width);
}
