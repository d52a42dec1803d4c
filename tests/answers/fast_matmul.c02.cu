// SPDX-License-Identifier: Apache-2.0
// mistake: loads the last existing element again wherever one is missing, in every direction. For rows of M and
//   columns of N that is harmless, but behind the last column of M and the last row of N the product of the last ones
//   is added again: where width is no multiple of 16, each sum has 16 - width % 16 such products too many.
// want: width = 17, second phase: which column of M does m_col = 18 load, and what is it multiplied with? What must
//   stand in the tiles behind the end, so that it adds nothing?
#include "fast_matmul.h"

#define THREADS_X 16
#define THREADS_Y 16
#define GROUPS 2  // a thread has GROUPS x GROUPS pieces of 4 x 4 elements
#define TILE_COLS (THREADS_X * 4 * GROUPS)
#define TILE_ROWS (THREADS_Y * 4 * GROUPS)
#define STEP 16

// An element that surely exists: no branches in the loads.
__device__ __forceinline__ float clamped(const float* matrix, int row, int col, int width) {
  row = min(row, width - 1);
  col = min(col, width - 1);
  return matrix[row * width + col];
}

__device__ __forceinline__ void scaled_add(float4& sum, float m, const float4& n) {
  sum.x += m * n.x;
  sum.y += m * n.y;
  sum.z += m * n.z;
  sum.w += m * n.w;
}

__global__ void __launch_bounds__(THREADS_X* THREADS_Y)
    fast_matmul_kernel(const float* M, const float* N, float* P, int width) {
  __shared__ float4 Mds[STEP][TILE_ROWS / 4 + 1];  // transposed
  __shared__ float4 Nds[STEP][TILE_COLS / 4];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row0 = blockIdx.y * TILE_ROWS;
  const int col0 = blockIdx.x * TILE_COLS;

  float4 sum[GROUPS][4][GROUPS] = {};

  const int phases = (width + STEP - 1) / STEP;
  for (int phase = 0; phase < phases; ++phase) {
    const int k0 = phase * STEP;
    float* m_row = reinterpret_cast<float*>(Mds[tx]);
    float* n_row = reinterpret_cast<float*>(Nds[ty]);
#pragma unroll
    for (int i = 0; i < 4 * GROUPS; ++i) {
      m_row[ty + i * THREADS_Y] = clamped(M, row0 + ty + i * THREADS_Y, k0 + tx, width);
      n_row[tx + i * THREADS_X] = clamped(N, k0 + ty, col0 + tx + i * THREADS_X, width);
    }
    __syncthreads();

#pragma unroll
    for (int k = 0; k < STEP; ++k) {
      float4 n[GROUPS];
#pragma unroll
      for (int g = 0; g < GROUPS; ++g) n[g] = Nds[k][tx + g * THREADS_X];
#pragma unroll
      for (int g = 0; g < GROUPS; ++g) {
        const float4 m = Mds[k][ty + g * THREADS_Y];
#pragma unroll
        for (int h = 0; h < GROUPS; ++h) {
          scaled_add(sum[g][0][h], m.x, n[h]);
          scaled_add(sum[g][1][h], m.y, n[h]);
          scaled_add(sum[g][2][h], m.z, n[h]);
          scaled_add(sum[g][3][h], m.w, n[h]);
        }
      }
    }
    __syncthreads();
  }

#pragma unroll
  for (int g = 0; g < GROUPS; ++g) {
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      const int row = row0 + (ty + g * THREADS_Y) * 4 + i;
      if (row >= width) continue;
#pragma unroll
      for (int h = 0; h < GROUPS; ++h) {
        const int col = col0 + (tx + h * THREADS_X) * 4;
        float* to = P + row * width + col;
        if (col + 0 < width) to[0] = sum[g][i][h].x;
        if (col + 1 < width) to[1] = sum[g][i][h].y;
        if (col + 2 < width) to[2] = sum[g][i][h].z;
        if (col + 3 < width) to[3] = sum[g][i][h].w;
      }
    }
  }
}

void fast_matmul(const float* M, const float* N, float* P, int width) {
  const dim3 block(THREADS_X, THREADS_Y);
  const dim3 grid((width + TILE_COLS - 1) / TILE_COLS, (width + TILE_ROWS - 1) / TILE_ROWS);
  fast_matmul_kernel<<<grid, block>>>(M, N, P, width);
}
