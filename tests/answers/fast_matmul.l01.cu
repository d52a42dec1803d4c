// SPDX-License-Identifier: Apache-2.0
// mistake: two buffers; the last tile is multiplied behind the loop, out of buffer steps & 1 instead of (steps - 1) & 1. That
//   is the tile before it once more, or, where there is only one step (width up to 32), a buffer that nobody filled.
// want: Width 64, two steps: into which buffer goes tile 0, into which tile 1, and which one does the multiplication
//   behind the loop read?
#include "fast_matmul.h"

#define SIDE 64     // of P, for a block of 16 x 16 threads with 4 x 4 elements each
#define DEPTH 32    // columns of M and rows of N in a step
#define PITCH 36    // of M's tile: float4 needs a multiple of 4

struct Tiles {
  float m[SIDE][PITCH];
  float n[DEPTH][SIDE];
};

// Neighbouring threads load neighbours, for any width.
__device__ __forceinline__ void fill(Tiles& to, const float* M, const float* N, int width, int step, int t) {
  const int k0 = step * DEPTH;
#pragma unroll
  for (int j = 0; j < SIDE; j += 8) {
    const int r = t / 32 + j, c = t % 32;
    const int row = blockIdx.y * SIDE + r, k = k0 + c;
    to.m[r][c] = row < width && k < width ? M[row * width + k] : 0.0f;
  }
#pragma unroll
  for (int j = 0; j < DEPTH; j += 4) {
    const int r = t / 64 + j, c = t % 64;
    const int k = k0 + r, col = blockIdx.x * SIDE + c;
    to.n[r][c] = k < width && col < width ? N[k * width + col] : 0.0f;
  }
}

__device__ __forceinline__ void multiply(const Tiles& from, float (&sum)[4][4], int ty, int tx) {
#pragma unroll
  for (int k = 0; k < DEPTH; k += 4) {
    float4 b[4];
#pragma unroll
    for (int q = 0; q < 4; ++q) b[q] = *reinterpret_cast<const float4*>(&from.n[k + q][4 * tx]);
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      const float4 a = *reinterpret_cast<const float4*>(&from.m[4 * ty + i][k]);
      sum[i][0] += a.x * b[0].x + a.y * b[1].x + a.z * b[2].x + a.w * b[3].x;
      sum[i][1] += a.x * b[0].y + a.y * b[1].y + a.z * b[2].y + a.w * b[3].y;
      sum[i][2] += a.x * b[0].z + a.y * b[1].z + a.z * b[2].z + a.w * b[3].z;
      sum[i][3] += a.x * b[0].w + a.y * b[1].w + a.z * b[2].w + a.w * b[3].w;
    }
  }
}

__global__ void __launch_bounds__(256) fast_matmul_kernel(const float* M, const float* N, float* P, int width) {
  __shared__ __align__(16) Tiles tiles[2];

  const int t = threadIdx.x;
  const int tx = t % 16;
  const int ty = t / 16;

  float sum[4][4] = {};

  const int steps = (width + DEPTH - 1) / DEPTH;
  fill(tiles[0], M, N, width, 0, t);
  __syncthreads();

  for (int step = 0; step + 1 < steps; ++step) {
    // the next tiles go where nobody reads now
    fill(tiles[(step + 1) & 1], M, N, width, step + 1, t);
    multiply(tiles[step & 1], sum, ty, tx);
    __syncthreads();
  }
  // nothing left to load: the last step
  multiply(tiles[steps & 1], sum, ty, tx);

#pragma unroll
  for (int i = 0; i < 4; ++i) {
    const int row = blockIdx.y * SIDE + 4 * ty + i;
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      const int col = blockIdx.x * SIDE + 4 * tx + j;
      if (row < width && col < width) P[row * width + col] = sum[i][j];
    }
  }
}

void fast_matmul(const float* M, const float* N, float* P, int width) {
  const int blocks = (width + SIDE - 1) / SIDE;
  fast_matmul_kernel<<<dim3(blocks, blocks), 256>>>(M, N, P, width);
}
