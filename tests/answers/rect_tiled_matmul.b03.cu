// SPDX-License-Identifier: Apache-2.0
// mistake: whether rows begin at a multiple of 16 bytes is asked of k only and used for N, too, whose rows have l
//   elements: with k a multiple of 4 and l not, float4 loads of N are misaligned and run past the row.
// want: the length of whose row decides whether a float4 load of N is aligned? Compute the byte address of
//   N[1][0] for k = 8, l = 6.
#include "rect_tiled_matmul.h"

#define TILE 16

// Four neighbours of a row of A (rows x cols), from column c on; zeros where there is nothing.
__device__ float4 fetch4(const float* A, int rows, int cols, int r, int c, bool vector) {
  float4 v = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
  if (r >= rows || c >= cols) return v;
  const float* p = A + r * cols + c;
  if (vector) {
    v = *reinterpret_cast<const float4*>(p);
  } else {
    v.x = p[0];
    if (c + 1 < cols) v.y = p[1];
    if (c + 2 < cols) v.z = p[2];
    if (c + 3 < cols) v.w = p[3];
  }
  return v;
}

__global__ void rect_tiled_matmul_kernel(const float* M, const float* N, float* P, int j, int k, int l,
                                         bool vector) {
  __shared__ __align__(16) float Mds[TILE][TILE];
  __shared__ __align__(16) float Nds[TILE][TILE];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row0 = blockIdx.y * TILE;
  const int col0 = blockIdx.x * TILE;

  // 64 threads load M's tile, the next 64 N's: four elements each.
  const int t = ty * TILE + tx;
  const int r = t % 64 / 4;
  const int c = t % 4 * 4;

  float sum = 0.0f;
  for (int start = 0; start < k; start += TILE) {
    if (t < 64) {
      *reinterpret_cast<float4*>(&Mds[r][c]) = fetch4(M, j, k, row0 + r, start + c, vector);
    } else if (t < 128) {
      *reinterpret_cast<float4*>(&Nds[r][c]) = fetch4(N, k, l, start + r, col0 + c, vector);
    }
    __syncthreads();
    for (int i = 0; i < TILE; ++i) {
      sum += Mds[ty][i] * Nds[i][tx];
    }
    __syncthreads();
  }

  if (row0 + ty < j && col0 + tx < l) {
    P[(row0 + ty) * l + col0 + tx] = sum;
  }
}

void rect_tiled_matmul(const float* M, const float* N, float* P, int j, int k, int l) {
  if (j == 0 || l == 0) return;
  const bool vector = k % 4 == 0;  // then rows begin at a multiple of 16 bytes
  const dim3 block(TILE, TILE);
  const dim3 grid((l + TILE - 1) / TILE, (j + TILE - 1) / TILE);
  rect_tiled_matmul_kernel<<<grid, block>>>(M, N, P, j, k, l, vector);
}
