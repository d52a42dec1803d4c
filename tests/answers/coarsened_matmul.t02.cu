// SPDX-License-Identifier: Apache-2.0
// mistake: Two mistakes: a thread's four columns are neighbours and are loaded one by one, so that a warp's load of N
//   touches each fourth float, 16 sectors for 4 of content: at width 128 4 x 8192 sectors for N and 2048 for M, 34816
//   of 20480 allowed. And before storing only the first of the four columns is checked: width 5: thread 1 has the
//   columns 4 to 7 and stores zeros to three elements of the next row, and past the end of P in the last row.
// want: width 5: which columns does thread 1 of a row store? After that: which floats of N does a warp ask for in one
//   load, and how many sectors are these?
#include "coarsened_matmul.h"

constexpr int kTile = 32;
constexpr int kEach = 4;
constexpr int kSpan = kTile * kEach;

__global__ void coarsened_matmul_kernel(const float* M, const float* N, float* P, int width) {
  __shared__ float Mds[kTile][kTile];
  __shared__ float Nds[kTile][kSpan];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * kTile + ty;
  const int mine = kEach * tx;                 // four columns that touch, as in a float4
  const int col = blockIdx.x * kSpan + mine;

  float s0 = 0, s1 = 0, s2 = 0, s3 = 0;

  const int phases = (width + kTile - 1) / kTile;
  for (int p = 0; p < phases; ++p) {
    const int mc = p * kTile + tx;
    const int nr = p * kTile + ty;

    Mds[ty][tx] = (row < width && mc < width) ? M[row * width + mc] : 0.0f;
    for (int j = 0; j < kEach; ++j) {
      Nds[ty][mine + j] = (nr < width && col + j < width) ? N[nr * width + col + j] : 0.0f;
    }
    __syncthreads();

    for (int k = 0; k < kTile; ++k) {
      const float m = Mds[ty][k];
      const float* n = &Nds[k][mine];
      s0 += m * n[0];
      s1 += m * n[1];
      s2 += m * n[2];
      s3 += m * n[3];
    }
    __syncthreads();
  }

  if (row < width && col < width) {
    float* p = P + row * width + col;
    p[0] = s0;
    p[1] = s1;
    p[2] = s2;
    p[3] = s3;
  }
}

void coarsened_matmul(const float* M, const float* N, float* P, int width) {
  const dim3 block(kTile, kTile);
  const dim3 grid((width + kSpan - 1) / kSpan, (width + kTile - 1) / kTile);
  coarsened_matmul_kernel<<<grid, block>>>(M, N, P, width);
}
