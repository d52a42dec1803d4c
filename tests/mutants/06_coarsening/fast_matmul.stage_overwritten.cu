// SPDX-License-Identifier: Apache-2.0
// Wrong on purpose: no barrier between two phases.
#include <cuda_pipeline.h>

#include "fast_matmul.h"

#define TILE_ROWS 128
#define TILE_COLS 256
#define STEP 16
#define THREAD_ROWS 8
#define THREAD_COLS 16
#define THREADS 256
#define WARPS (THREADS / 32)

#define WARP_ROWS (4 * THREAD_ROWS)
#define WARP_COLS (8 * THREAD_COLS)

#define M_STRIDE (TILE_ROWS + 4)
#define STAGE (STEP * M_STRIDE + STEP * TILE_COLS)

template <int VECTOR>
__device__ void copy_tiles(const float* M, const float* N, int width, int phase, float* stage) {
  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;
  const int row0 = blockIdx.y * TILE_ROWS;
  const int col0 = blockIdx.x * TILE_COLS;
  float* Ms = stage;
  float* Ns = stage + STEP * M_STRIDE;

#pragma unroll
  for (int i = 0; i < TILE_ROWS * STEP / THREADS; ++i) {
    const int patch = warp + i * WARPS;
    const int k = patch % (STEP / 8) * 8 + lane % 8;
    const int row = patch / (STEP / 8) * 4 + lane / 8;
    const int m_row = min(row0 + row, width - 1);
    const int m_col = phase * STEP + k;
    const bool exists = m_col < width;
    __pipeline_memcpy_async(&Ms[k * M_STRIDE + row], &M[m_row * width + (exists ? m_col : 0)], 4,
                            exists ? 0 : 4);
  }

#pragma unroll
  for (int i = 0; i < STEP * TILE_COLS / VECTOR / THREADS; ++i) {
    const int vector = threadIdx.x + i * THREADS;
    const int k = vector / (TILE_COLS / VECTOR);
    const int col = vector % (TILE_COLS / VECTOR) * VECTOR;
    const int n_row = phase * STEP + k;
    const int n_col = min(col0 + col, width - VECTOR);
    const bool exists = n_row < width;
    __pipeline_memcpy_async(&Ns[k * TILE_COLS + col], &N[(exists ? n_row : 0) * width + n_col], 4 * VECTOR,
                            exists ? 0 : 4 * VECTOR);
  }
}

struct Operands {
  float m[THREAD_ROWS], n[THREAD_COLS];
};

__device__ __forceinline__ void load_operands(const float* stage, int k, int row, int col,
                                              Operands& operands) {
  const float* Ms = stage + k * M_STRIDE + row;
  const float* Ns = stage + STEP * M_STRIDE + k * TILE_COLS + col;
#pragma unroll
  for (int i = 0; i < THREAD_ROWS; i += 4) {
    *reinterpret_cast<float4*>(&operands.m[i]) = *reinterpret_cast<const float4*>(&Ms[4 * i]);
  }
#pragma unroll
  for (int j = 0; j < THREAD_COLS; j += 4) {
    *reinterpret_cast<float4*>(&operands.n[j]) = *reinterpret_cast<const float4*>(&Ns[8 * j]);
  }
}

__device__ __forceinline__ void multiply_add(const Operands& operands,
                                             float (&sum)[THREAD_ROWS][THREAD_COLS]) {
#pragma unroll
  for (int i = 0; i < THREAD_ROWS; i += 2) {
#pragma unroll
    for (int step = 0; step < THREAD_COLS; ++step) {
      const int j = i / 2 % 2 == 0 ? step : THREAD_COLS - 1 - step;
      const int first = i + step % 2;
      const int second = i + 1 - step % 2;
      sum[first][j] += operands.m[first] * operands.n[j];
      sum[second][j] += operands.m[second] * operands.n[j];
    }
  }
}

template <int VECTOR, int STAGES>
__global__ __launch_bounds__(THREADS, 1) void fast_matmul_kernel(const float* __restrict__ M,
                                                                 const float* __restrict__ N,
                                                                 float* __restrict__ P, int width) {
  extern __shared__ float4 shared[];
  float* stages = reinterpret_cast<float*>(shared);

  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;
  const int row = warp / (TILE_COLS / WARP_COLS) * WARP_ROWS + lane / 8 * 4;
  const int col = warp % (TILE_COLS / WARP_COLS) * WARP_COLS + lane % 8 * 4;
  const int phases = (width + STEP - 1) / STEP;

  float sum[THREAD_ROWS][THREAD_COLS] = {};
  Operands operands[2];

#pragma unroll
  for (int phase = 0; phase < STAGES - 1; ++phase) {
    if (phase < phases) {
      copy_tiles<VECTOR>(M, N, width, phase, stages + phase * STAGE);
    }
    __pipeline_commit();
  }
  __pipeline_wait_prior(STAGES - 2);
  __syncthreads();
  load_operands(stages, 0, row, col, operands[0]);

  int use = 0;
  int fill = STAGES - 1;
  for (int phase = 0; phase < phases; ++phase) {
    if (phase + STAGES - 1 < phases) {
      copy_tiles<VECTOR>(M, N, width, phase + STAGES - 1, stages + fill * STAGE);
    }
    __pipeline_commit();
    fill = fill + 1 == STAGES ? 0 : fill + 1;
    const int next = use + 1 == STAGES ? 0 : use + 1;

#pragma unroll
    for (int k = 0; k < STEP; ++k) {
      if (k + 1 < STEP) {
        load_operands(stages + use * STAGE, k + 1, row, col, operands[(k + 1) % 2]);
      } else if (phase + 1 < phases) {
        __pipeline_wait_prior(STAGES - 2);
        load_operands(stages + next * STAGE, 0, row, col, operands[0]);
      }
      multiply_add(operands[k % 2], sum);
    }
    use = next;
  }

#pragma unroll
  for (int i = 0; i < THREAD_ROWS; ++i) {
    const int p_row = blockIdx.y * TILE_ROWS + row + i / 4 * 16 + i % 4;
    if (p_row >= width) {
      continue;
    }
#pragma unroll
    for (int j = 0; j < THREAD_COLS; j += 4) {
      const int p_col = blockIdx.x * TILE_COLS + col + 8 * j;
      float* out = &P[p_row * width + p_col];
      if (VECTOR == 4) {
        if (p_col < width) {
          *reinterpret_cast<float4*>(out) =
              make_float4(sum[i][j], sum[i][j + 1], sum[i][j + 2], sum[i][j + 3]);
        }
      } else {
#pragma unroll
        for (int q = 0; q < 4; ++q) {
          if (p_col + q < width) {
            out[q] = sum[i][j + q];
          }
        }
      }
    }
  }
}

template <int VECTOR, int STAGES>
void launch(const float* M, const float* N, float* P, int width) {
  const int bytes = STAGES * STAGE * sizeof(float);
  cudaFuncSetAttribute(fast_matmul_kernel<VECTOR, STAGES>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                       bytes);
  const dim3 grid((width + TILE_COLS - 1) / TILE_COLS, (width + TILE_ROWS - 1) / TILE_ROWS);
  fast_matmul_kernel<VECTOR, STAGES><<<grid, THREADS, bytes>>>(M, N, P, width);
}

void fast_matmul(const float* M, const float* N, float* P, int width) {
  int device = 0;
  int most_bytes = 0;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&most_bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
  const bool three = most_bytes >= 3 * STAGE * static_cast<int>(sizeof(float));
  if (width % 4 == 0) {
    three ? launch<4, 3>(M, N, P, width) : launch<4, 2>(M, N, P, width);
  } else {
    three ? launch<1, 3>(M, N, P, width) : launch<1, 2>(M, N, P, width);
  }
}
