// SPDX-License-Identifier: Apache-2.0
// mistake: float4 loads are taken wherever four columns exist, but a float4 has to lie at a multiple of 16 bytes:
//   row * width + col is a multiple of 4 only where width is one. Any width from 5 on that is not a multiple of 4
//   ends in a misaligned address.
// want: With width 17, at which index does row 1 begin, and at how many bytes? What does a float4 load ask of its
//   address?

#include "tiled_matmul.h"

#define TILE 32
#define VEC 4

// Four neighbours of one row; zeros where there is nothing.
__device__ float4 load4(const float* A, int row, int col, int width) {
  float4 v = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
  if (row >= width || col >= width) return v;
  const float* p = A + row * width + col;
  if (col + 3 < width) {
    v = *reinterpret_cast<const float4*>(p);
  } else {
    v.x = p[0];
    if (col + 1 < width) v.y = p[1];
    if (col + 2 < width) v.z = p[2];
  }
  return v;
}

__device__ void put4(float* to, float4 v) {
  to[0] = v.x;
  to[1] = v.y;
  to[2] = v.z;
  to[3] = v.w;
}

// 8 x 32 threads, each with four neighbouring elements of P.
__global__ void tiled_matmul_kernel(const float* M, const float* N, float* P, int width) {
  __shared__ float Mds[TILE][TILE];
  __shared__ float Nds[TILE][TILE];

  const int ty = threadIdx.y;
  const int x = threadIdx.x * VEC;
  const int row = blockIdx.y * TILE + ty;
  const int col = blockIdx.x * TILE + x;
  const int phases = (width + TILE - 1) / TILE;

  float sum[VEC] = {0.0f, 0.0f, 0.0f, 0.0f};
  for (int phase = 0; phase < phases; ++phase) {
    put4(&Mds[ty][x], load4(M, row, phase * TILE + x, width));
    put4(&Nds[ty][x], load4(N, phase * TILE + ty, col, width));
    __syncthreads();

    for (int k = 0; k < TILE; ++k) {
      const float m = Mds[ty][k];
      for (int c = 0; c < VEC; ++c) {
        sum[c] += m * Nds[k][x + c];
      }
    }
    __syncthreads();
  }

  for (int c = 0; c < VEC; ++c) {
    if (row < width && col + c < width) {
      P[row * width + col + c] = sum[c];
    }
  }
}

void tiled_matmul(const float* M, const float* N, float* P, int width) {
  const int tiles = (width + TILE - 1) / TILE;
  const dim3 block(TILE / VEC, TILE);
  const dim3 grid(tiles, tiles);
  tiled_matmul_kernel<<<grid, block>>>(M, N, P, width);
}
