// SPDX-License-Identifier: Apache-2.0
// mistake: Two mistakes: the launch is left out only where both j and l are 0; with j = 0 and l = 5 the grid is 1 x 0
//   blocks, an invalid configuration. And the buffers are cleared only once, at the start: an element that does not
//   exist keeps what the same buffer held two phases before. That is 0 up to k = 32; with k = 33, phase 2 multiplies
//   phase 0's columns 1 to 15 of M by its rows 1 to 15 of N once more. Two buffers with one barrier a phase are right.
// want: Follow one place of the tiles, column 1 of buffer 0, through the phases of k = 33. Who wrote it last when phase
//   2 reads it?
#include "rect_tiled_matmul.h"

#define TW 16

__global__ void double_buffered(const float* M, const float* N, float* P, int j, int k, int l) {
  __shared__ float A[2][TW][TW];
  __shared__ float B[2][TW][TW];
  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * TW + ty;
  const int col = blockIdx.x * TW + tx;

  // Zeros where nothing exists.
  A[0][ty][tx] = A[1][ty][tx] = 0.0f;
  B[0][ty][tx] = B[1][ty][tx] = 0.0f;

  auto fetch = [&](int phase) {
    const int buf = phase & 1;
    const int mc = phase * TW + tx;
    const int nr = phase * TW + ty;
    if (row < j && mc < k) A[buf][ty][tx] = M[row * k + mc];
    if (nr < k && col < l) B[buf][ty][tx] = N[nr * l + col];
  };

  const int phases = (k + TW - 1) / TW;
  fetch(0);
  __syncthreads();

  float sum = 0.0f;
  for (int phase = 0; phase < phases; ++phase) {
    fetch(phase + 1);  // into the other buffer, while this one is read
    const int buf = phase & 1;
    for (int i = 0; i < TW; ++i) sum += A[buf][ty][i] * B[buf][i][tx];
    __syncthreads();
  }

  if (row < j && col < l) P[row * l + col] = sum;
}

void rect_tiled_matmul(const float* M, const float* N, float* P, int j, int k, int l) {
  if (!(j || l)) return;  // nothing to compute

  const dim3 block(TW, TW);
  const dim3 grid((l + TW - 1) / TW, (j + TW - 1) / TW);
  double_buffered<<<grid, block>>>(M, N, P, j, k, l);
}
