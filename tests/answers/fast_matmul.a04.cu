// SPDX-License-Identifier: Apache-2.0
// mistake: 1. the loops over a thread's rows have #pragma unroll 1 and a limit known only at run time, so that
//   sum[i][j] is indexed by a variable and lives in local memory. 2. the store checks only the first of each four
//   columns.
// want: Registers have no index: where does sum lie when i is not known to the compiler? See local memory in the
//   report. (Then: which of the four columns of a group does the store check when width is 17?)
#include "fast_matmul.h"

#define TILE_WIDTH 128  // of P, for a block
#define K_WIDTH 16
#define PATCH 8

__global__ void fast_matmul_kernel(const float* M, const float* N, float* P, int width) {
  __shared__ float Mds[K_WIDTH][TILE_WIDTH + 2];
  __shared__ __align__(16) float Nds[K_WIDTH][TILE_WIDTH];

  const int tx = threadIdx.x;  // 0 to 15
  const int ty = threadIdx.y;
  const int t = ty * 16 + tx;
  const int row = blockIdx.y * TILE_WIDTH + ty * PATCH;  // the first of this thread's rows
  const int col = blockIdx.x * TILE_WIDTH + tx * 4;      // and of its columns: 4 here, 4 more 64 to the right

  // at the lower edge a thread has fewer rows, so it need not compute all of them
  const int my_rows = min(PATCH, width - row);

  float sum[PATCH][PATCH] = {};

  const int phases = (width + K_WIDTH - 1) / K_WIDTH;
  for (int phase = 0; phase < phases; ++phase) {
    // 128 x 16 and 16 x 128 elements, 256 threads: 8 of each
    for (int s = 0; s < 8; ++s) {
      const int m_row = blockIdx.y * TILE_WIDTH + ty + s * 16;
      const int m_col = phase * K_WIDTH + tx;
      Mds[tx][ty + s * 16] = m_row < width && m_col < width ? M[m_row * width + m_col] : 0.0f;

      const int n_row = phase * K_WIDTH + t / 128 + s * 2;
      const int n_col = blockIdx.x * TILE_WIDTH + t % 128;
      Nds[t / 128 + s * 2][t % 128] = n_row < width && n_col < width ? N[n_row * width + n_col] : 0.0f;
    }
    __syncthreads();

    for (int k = 0; k < K_WIDTH; ++k) {
      const float4 n0 = *(const float4*)&Nds[k][tx * 4];
      const float4 n1 = *(const float4*)&Nds[k][tx * 4 + 64];
#pragma unroll 1
      for (int i = 0; i < my_rows; ++i) {
        const float m = Mds[k][ty * PATCH + i];
        sum[i][0] += m * n0.x;
        sum[i][1] += m * n0.y;
        sum[i][2] += m * n0.z;
        sum[i][3] += m * n0.w;
        sum[i][4] += m * n1.x;
        sum[i][5] += m * n1.y;
        sum[i][6] += m * n1.z;
        sum[i][7] += m * n1.w;
      }
    }
    __syncthreads();
  }

#pragma unroll 1
  for (int i = 0; i < my_rows; ++i) {
    for (int h = 0; h < 2; ++h) {
      const int c = col + h * 64;
      if (c < width) {
        for (int j = 0; j < 4; ++j) {
          P[(row + i) * width + c + j] = sum[i][h * 4 + j];
        }
      }
    }
  }
}

void fast_matmul(const float* M, const float* N, float* P, int width) {
  const int tiles = (width + TILE_WIDTH - 1) / TILE_WIDTH;
  const dim3 block(16, 16);
  const dim3 grid(tiles, tiles);
  fast_matmul_kernel<<<grid, block>>>(M, N, P, width);
}
