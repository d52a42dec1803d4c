// SPDX-License-Identifier: Apache-2.0
// mistake: (1) the patch loops run to the number of rows and columns that exist, known only at run time: sum is
//   indexed dynamically and lies in local memory. (2) M's tile is stored row by row with a pitch of 16: the two
//   row groups of a warp are 64 floats apart, in the same bank.
// want: where does an array live whose index the compiler does not know? Look at the local memory of the kernel
//   (ptxas -v, stack frame): constant bounds, and the check at the store. Then the banks of Mds[ty + i][k].
#include "fast_matmul.h"

#define TILE 64
#define STEP 16
#define PATCH 4
#define SIDE (TILE / PATCH)

// 64 x 64 of P for a block, 4 x 4 for a thread.
__global__ void fast_matmul_kernel(const float* __restrict__ M, const float* __restrict__ N, float* __restrict__ P,
                                   int width) {
  __shared__ float Mds[TILE][STEP];
  __shared__ __align__(16) float Nds[STEP][TILE];

  const int t = threadIdx.x;
  const int ty = t / SIDE * PATCH;
  const int tx = t % SIDE * PATCH;
  const int row = blockIdx.y * TILE + ty;
  const int col = blockIdx.x * TILE + tx;

  // What exists of this thread's patch.
  const int rows = max(0, min(PATCH, width - row));
  const int cols = max(0, min(PATCH, width - col));

  float sum[PATCH][PATCH] = {};

  for (int k0 = 0; k0 < width; k0 += STEP) {
#pragma unroll
    for (int e = t; e < TILE * STEP; e += SIDE * SIDE) {
      const int m_row = blockIdx.y * TILE + e / STEP;
      const int m_col = k0 + e % STEP;
      Mds[e / STEP][e % STEP] = m_row < width && m_col < width ? M[m_row * width + m_col] : 0.0f;
      const int n_row = k0 + e / TILE;
      const int n_col = blockIdx.x * TILE + e % TILE;
      Nds[e / TILE][e % TILE] = n_row < width && n_col < width ? N[n_row * width + n_col] : 0.0f;
    }
    __syncthreads();

    for (int k = 0; k < STEP; ++k) {
      const float4 n4 = *reinterpret_cast<const float4*>(&Nds[k][tx]);
      const float n[PATCH] = {n4.x, n4.y, n4.z, n4.w};
      for (int i = 0; i < rows; ++i) {
        const float m = Mds[ty + i][k];
        for (int j = 0; j < cols; ++j) {
          sum[i][j] += m * n[j];
        }
      }
    }
    __syncthreads();
  }

  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < cols; ++j) {
      P[(row + i) * width + col + j] = sum[i][j];
    }
  }
}

void fast_matmul(const float* M, const float* N, float* P, int width) {
  const int tiles = (width + TILE - 1) / TILE;
  fast_matmul_kernel<<<dim3(tiles, tiles), SIDE * SIDE>>>(M, N, P, width);
}
