// SPDX-License-Identifier: Apache-2.0
// mistake: Two mistakes: the store asks only whether the first of a thread's four columns exists (col0 < width),
//   then stores four: at width 18 the thread with col0 = 16 writes columns 18 and 19 too, that is zeros over
//   P[r+1][0] and P[r+1][1] (a race), and behind P in row 17. And M's load is checked for its row only, not for
//   its column: where width is not a multiple of 16, it reads M's next row, and in the last row behind M (width
//   20: row 19, columns 20 to 31); an infinity there times N's zero makes NaN.
// want: Two limits, two questions. For width 18: which columns does the thread with col0 = 16 store? And for
//   width 20, last row, second phase: which elements of M does the block load?
#include "tiled_matmul.h"

#define BT 64  // rows and columns of P a block
#define BK 16  // depth of a phase
#define R 4    // R x R elements of P a thread

__global__ void reg_tiled(const float* M, const float* N, float* P, int width) {
  __shared__ float Ms[BT][BK];
  __shared__ float Ns[BK][BT];

  const int tid = threadIdx.y * blockDim.x + threadIdx.x;
  const int row0 = blockIdx.y * BT + threadIdx.y * R;
  const int col0 = blockIdx.x * BT + threadIdx.x * R;

  float acc[R][R] = {};
  const int phases = (width + BK - 1) / BK;
  for (int ph = 0; ph < phases; ++ph) {
    // 256 threads, 1024 elements a tile: four rounds
    for (int i = tid; i < BT * BK; i += 256) {
      const int r = i / BK, c = i % BK;
      const int gr = blockIdx.y * BT + r, gc = ph * BK + c;
      // past the last column N's tile has zeros, so M's tile adds nothing
      Ms[r][c] = gr < width ? M[gr * width + gc] : 0.0f;
    }
    for (int i = tid; i < BK * BT; i += 256) {
      const int r = i / BT, c = i % BT;
      const int gr = ph * BK + r, gc = blockIdx.x * BT + c;
      Ns[r][c] = gr < width && gc < width ? N[gr * width + gc] : 0.0f;
    }
    __syncthreads();

    for (int k = 0; k < BK; ++k) {
      float m[R], n[R];
      for (int i = 0; i < R; ++i) m[i] = Ms[threadIdx.y * R + i][k];
      for (int i = 0; i < R; ++i) n[i] = Ns[k][threadIdx.x * R + i];
      for (int i = 0; i < R; ++i)
        for (int j = 0; j < R; ++j) acc[i][j] += m[i] * n[j];
    }
    __syncthreads();
  }

  for (int i = 0; i < R; ++i) {
    const int row = row0 + i;
    if (row < width && col0 < width) {
      float* p = P + row * width + col0;
      for (int j = 0; j < R; ++j) p[j] = acc[i][j];
    }
  }
}

void tiled_matmul(const float* M, const float* N, float* P, int width) {
  const int blocks = (width + BT - 1) / BT;
  reg_tiled<<<dim3(blocks, blocks), dim3(BT / R, BT / R)>>>(M, N, P, width);
}
