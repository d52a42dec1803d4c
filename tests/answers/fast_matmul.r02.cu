// SPDX-License-Identifier: Apache-2.0
// mistake: the loop always waits until at most one batch of asynchronous copies is left, which in every phase but the last
//   is the next phase's. The last phase starts no batch, so the one that is left is its own: it is multiplied before it
//   needs to have arrived. A race at every width, which is won mostly where there are many phases; up to width 16,
//   with a single phase, nothing is waited for at all. (One batch more, be it empty, or
//   a wait for 0 in the last phase would do.) Layout, barriers and edges are right.
// want: How many batches have been committed and not awaited when the last phase comes to the wait? Which one is it that
//   may still be on its way?
#include "fast_matmul.h"

#include <cuda_pipeline.h>

#define SIDE 128
#define DEPTH 16
#define THREADS 256

struct Tiles {
  float m[SIDE][DEPTH];
  float n[DEPTH][SIDE];
};

// Starts the copies of one phase. What does not exist is 0.
__device__ __forceinline__ void start(Tiles& to, const float* M, const float* N, int width, int phase) {
  const int t = threadIdx.x;
  const int row0 = blockIdx.y * SIDE;
  const int col0 = blockIdx.x * SIDE;
  const int k0 = phase * DEPTH;
#pragma unroll
  for (int step = 0; step < SIDE * DEPTH / THREADS; ++step) {
    const int e = step * THREADS + t;
    {
      const int r = e / DEPTH, k = e % DEPTH;
      if (row0 + r < width && k0 + k < width) {
        __pipeline_memcpy_async(&to.m[r][k], &M[(row0 + r) * width + k0 + k], 4);
      } else {
        to.m[r][k] = 0.0f;
      }
    }
    {
      const int k = e / SIDE, c = e % SIDE;
      if (k0 + k < width && col0 + c < width) {
        __pipeline_memcpy_async(&to.n[k][c], &N[(k0 + k) * width + col0 + c], 4);
      } else {
        to.n[k][c] = 0.0f;
      }
    }
  }
  __pipeline_commit();
}

__global__ void __launch_bounds__(THREADS) fast_matmul_kernel(const float* M, const float* N, float* P, int width) {
  __shared__ __align__(16) Tiles tiles[2];

  const int tx = threadIdx.x % 16;
  const int ty = threadIdx.x / 16;
  const int phases = (width + DEPTH - 1) / DEPTH;

  float sum[8][8];
#pragma unroll
  for (int i = 0; i < 8; ++i)
#pragma unroll
    for (int j = 0; j < 8; ++j) sum[i][j] = 0.0f;

  start(tiles[0], M, N, width, 0);
  for (int phase = 0; phase < phases; ++phase) {
    if (phase + 1 < phases) {
      start(tiles[(phase + 1) % 2], M, N, width, phase + 1);
    }
    __pipeline_wait_prior(1);  // the next phase may still be on its way
    __syncthreads();

    const Tiles& now = tiles[phase % 2];
#pragma unroll
    for (int k = 0; k < DEPTH; k += 4) {
      float m[8][4];
#pragma unroll
      for (int i = 0; i < 8; ++i) {
        const float4 v = *reinterpret_cast<const float4*>(&now.m[ty * 8 + i][k]);
        m[i][0] = v.x, m[i][1] = v.y, m[i][2] = v.z, m[i][3] = v.w;
      }
#pragma unroll
      for (int q = 0; q < 4; ++q) {
        const float4 u = *reinterpret_cast<const float4*>(&now.n[k + q][tx * 4]);
        const float4 v = *reinterpret_cast<const float4*>(&now.n[k + q][64 + tx * 4]);
        const float n[8] = {u.x, u.y, u.z, u.w, v.x, v.y, v.z, v.w};
#pragma unroll
        for (int i = 0; i < 8; ++i)
#pragma unroll
          for (int j = 0; j < 8; ++j) sum[i][j] += m[i][q] * n[j];
      }
    }
    __syncthreads();
  }

#pragma unroll
  for (int i = 0; i < 8; ++i) {
    const int row = blockIdx.y * SIDE + ty * 8 + i;
    if (row >= width) break;
#pragma unroll
    for (int j = 0; j < 8; ++j) {
      const int col = blockIdx.x * SIDE + (j / 4) * 64 + tx * 4 + j % 4;
      if (col < width) P[row * width + col] = sum[i][j];
    }
  }
}

void fast_matmul(const float* M, const float* N, float* P, int width) {
  const int blocks = (width + SIDE - 1) / SIDE;
  fast_matmul_kernel<<<dim3(blocks, blocks), THREADS>>>(M, N, P, width);
}
