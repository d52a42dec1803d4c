// SPDX-License-Identifier: Apache-2.0
// mistake: keeps only two stages but one barrier a phase, which is enough for three: a thread that is done with a
//   phase starts the copy of the next but one into the stage that slower threads still multiply.
// want: Two stages: the copies for phase 2 go into which stage, and who may still be reading phase 0 there when a
//   quick thread starts them? Where is the barrier between the two?
#include <cuda_pipeline.h>

#include "fast_matmul.h"

#define TILE 128
#define HALF (TILE / 2)
#define STEP 16
#define PATCH 8  // four pieces of 4 x 4, HALF apart
#define THREADS 256
#define STAGES 2

struct Stage {
  alignas(16) float m[STEP][TILE + 4];  // transposed
  alignas(16) float n[STEP][TILE];
};

// Starts this thread's copies of one phase. What does not exist is filled with zeros.
__device__ __forceinline__ void copy_stage(Stage& stage, const float* M, const float* N, int width, int start) {
  const int t = threadIdx.x;
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    const int mr = t / STEP + i * 16, mc = t % STEP;
    const int m_row = blockIdx.y * TILE + mr, m_col = start + mc;
    const bool m_there = m_row < width && m_col < width;
    __pipeline_memcpy_async(&stage.m[mc][mr], m_there ? &M[m_row * width + m_col] : M, 4, m_there ? 0 : 4);

    const int nr = t / TILE + i * 2, nc = t % TILE;
    const int n_row = start + nr, n_col = blockIdx.x * TILE + nc;
    const bool n_there = n_row < width && n_col < width;
    __pipeline_memcpy_async(&stage.n[nr][nc], n_there ? &N[n_row * width + n_col] : N, 4, n_there ? 0 : 4);
  }
}

__global__ __launch_bounds__(THREADS) void fast_matmul_kernel(const float* __restrict__ M,
                                                              const float* __restrict__ N,
                                                              float* __restrict__ P, int width) {
  __shared__ Stage stages[STAGES];

  const int row = threadIdx.x / 16 * 4;
  const int col = threadIdx.x % 16 * 4;
  float sum[PATCH][PATCH] = {};

  copy_stage(stages[0], M, N, width, 0);
  __pipeline_commit();

  const int phases = (width + STEP - 1) / STEP;
  for (int phase = 0; phase < phases; ++phase) {
    if (phase + 1 < phases) {
      copy_stage(stages[(phase + 1) % STAGES], M, N, width, (phase + 1) * STEP);
    }
    __pipeline_commit();  // an empty one behind the last phase
    __pipeline_wait_prior(STAGES - 1);
    __syncthreads();

    const Stage& stage = stages[phase % STAGES];
#pragma unroll
    for (int k = 0; k < STEP; ++k) {
      alignas(16) float m[PATCH], n[PATCH];
#pragma unroll
      for (int h = 0; h < 2; ++h) {
        *reinterpret_cast<float4*>(m + 4 * h) = *reinterpret_cast<const float4*>(&stage.m[k][row + h * HALF]);
        *reinterpret_cast<float4*>(n + 4 * h) = *reinterpret_cast<const float4*>(&stage.n[k][col + h * HALF]);
      }
#pragma unroll
      for (int i = 0; i < PATCH; ++i) {
#pragma unroll
        for (int j = 0; j < PATCH; ++j) sum[i][j] += m[i] * n[j];
      }
    }
  }

#pragma unroll
  for (int i = 0; i < PATCH; ++i) {
    const int p_row = blockIdx.y * TILE + row + i % 4 + i / 4 * HALF;
#pragma unroll
    for (int j = 0; j < PATCH; ++j) {
      const int p_col = blockIdx.x * TILE + col + j % 4 + j / 4 * HALF;
      if (p_row < width && p_col < width) P[p_row * width + p_col] = sum[i][j];
    }
  }
}

void fast_matmul(const float* M, const float* N, float* P, int width) {
  const int tiles = (width + TILE - 1) / TILE;
  fast_matmul_kernel<<<dim3(tiles, tiles), THREADS>>>(M, N, P, width);
}
