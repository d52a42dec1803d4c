// SPDX-License-Identifier: Apache-2.0
//
// Chapter 6, the capstone: the solution. Four ideas, each of which saves what the one before left over:
//
//   register tiling    a thread computes 8 x 16 elements, so that 24 operands from shared memory serve 128
//                      multiply-adds;
//   vector loads       those 24 come as six loads of four floats, and N comes from global memory likewise;
//   layout             M's tile lies transposed, so that a thread's rows are neighbours, too; a warp's
//                      threads lie 4 x 8 in P, 4 elements apart, so that eight of them read 32 banks in a
//                      row;
//   double buffering   while the threads multiply one pair of tiles, the next ones are on their way into
//                      other parts of shared memory: one barrier a phase, and nobody waits for global memory.

#include <cuda_pipeline.h>

#include "fast_matmul.h"

#define TILE_ROWS 128  // of P, for a block
#define TILE_COLS 256
#define STEP 16  // columns of M and rows of N, for a phase
#define THREAD_ROWS 8
#define THREAD_COLS 16
#define THREADS 256
#define WARPS (THREADS / 32)

// The warps of a block lie 4 x 2 in its tile of P, the threads of a warp 4 x 8. A thread's elements lie in
// groups of 4 x 4, so that each operand of a group is one load of four floats; between two groups lie those
// of the warp's other threads.
#define WARP_ROWS (4 * THREAD_ROWS)
#define WARP_COLS (8 * THREAD_COLS)

// Four floats more a row: then the 4 x 8 elements of M that a warp stores at once fall into 32 banks.
#define M_STRIDE (TILE_ROWS + 4)
#define STAGE (STEP * M_STRIDE + STEP * TILE_COLS)  // floats in shared memory for one phase

// Starts to copy the tiles of one phase into `stage`: M's transposed, N's as it is. VECTOR floats of N go
// together; where `width` is no multiple of 4, rows do not begin at 16 bytes, and only single floats may.
//
// Behind the last row of M and the last column of N stands the last one again: it goes into elements of P
// that do not exist. Behind the last column of M and the last row of N stand zeros, for they go into every
// sum.
template <int VECTOR>
__device__ void copy_tiles(const float* M, const float* N, int width, int phase, float* stage) {
  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;
  const int row0 = blockIdx.y * TILE_ROWS;
  const int col0 = blockIdx.x * TILE_COLS;
  float* Ms = stage;
  float* Ns = stage + STEP * M_STRIDE;

  // A warp copies 4 rows of 8 columns: whole sectors of M.
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

// The operands of one thread for one k: four rows at a time of M's tile, four columns at a time of N's.
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

// Two rows at a time, back and forth through the columns: neighbouring multiply-adds share an operand, which
// a multiprocessor then need not read again. On an H200 this order is worth 3 % against row by row.
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

// P = M x N, all width x width, row by row. VECTOR is 4 or 1, as in copy_tiles;
// STAGES pairs of tiles are in shared memory at a time, one in use and the others on their way.
template <int VECTOR, int STAGES>
__global__ __launch_bounds__(THREADS, 1) void fast_matmul_kernel(const float* __restrict__ M,
                                                                 const float* __restrict__ N,
                                                                 float* __restrict__ P, int width) {
  extern __shared__ float4 shared[];
  float* stages = reinterpret_cast<float*>(shared);

  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;
  // Of this thread's first element, in the block's tile of P.
  const int row = warp / (TILE_COLS / WARP_COLS) * WARP_ROWS + lane / 8 * 4;
  const int col = warp % (TILE_COLS / WARP_COLS) * WARP_COLS + lane % 8 * 4;
  const int phases = (width + STEP - 1) / STEP;

  // All loops over these have constant bounds and are unrolled: they live in registers.
  float sum[THREAD_ROWS][THREAD_COLS] = {};
  Operands operands[2];

#pragma unroll
  for (int phase = 0; phase < STAGES - 1; ++phase) {
    if (phase < phases) {
      copy_tiles<VECTOR>(M, N, width, phase, stages + phase * STAGE);
    }
    __pipeline_commit();
  }
  __pipeline_wait_prior(STAGES - 2);  // all but the last STAGES - 2 commits have arrived
  __syncthreads();
  load_operands(stages, 0, row, col, operands[0]);

  int use = 0;            // the stage that this phase multiplies
  int fill = STAGES - 1;  // the stage that was multiplied last: free
  for (int phase = 0; phase < phases; ++phase) {
    if (phase + STAGES - 1 < phases) {
      copy_tiles<VECTOR>(M, N, width, phase + STAGES - 1, stages + fill * STAGE);
    }
    __pipeline_commit();  // also when there was nothing to copy, so that the counts go on
    fill = fill + 1 == STAGES ? 0 : fill + 1;
    const int next = use + 1 == STAGES ? 0 : use + 1;

    // The operands of the next k are on their way while these are multiplied; behind the last k of a phase
    // comes the first of the next one.
#pragma unroll
    for (int k = 0; k < STEP; ++k) {
      if (k + 1 < STEP) {
        load_operands(stages + use * STAGE, k + 1, row, col, operands[(k + 1) % 2]);
      } else if (phase + 1 < phases) {
        __pipeline_wait_prior(STAGES - 2);  // this thread's copies for the next phase are there,
        __syncthreads();                    // and everybody's; and nobody reads the stage in use any more
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
  const int bytes = STAGES * STAGE * sizeof(float);  // more than the 48 KB that a kernel may have unasked
  cudaFuncSetAttribute(fast_matmul_kernel<VECTOR, STAGES>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                       bytes);
  const dim3 grid((width + TILE_COLS - 1) / TILE_COLS, (width + TILE_ROWS - 1) / TILE_ROWS);
  fast_matmul_kernel<VECTOR, STAGES><<<grid, THREADS, bytes>>>(M, N, P, width);
}

void fast_matmul(const float* M, const float* N, float* P, int width) {
  // Three stages where a block may have that much shared memory; two fit into the 64 KB of a T4.
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
