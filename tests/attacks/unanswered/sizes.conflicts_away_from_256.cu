// SPDX-License-Identifier: Apache-2.0
// exercise: fast_matmul
// verdict: not passed
// must not: pass
// Without bank conflicts at width 256; elsewhere the threads of a warp read vectors from the same banks.

#include <cuda_pipeline.h>

#include "fast_matmul.h"

namespace good {
#define TILE_ROWS 64  // of P, for a block
#define TILE_COLS 128
#define STEP 16  // columns of M and rows of N, for a phase
#define PATCH 8  // a thread computes PATCH x PATCH elements
#define THREADS 128

// The warps of a block lie 2 x 2 in its tile of P, the threads of a warp 4 x 8. A thread's elements lie in
// groups of 4 x 4, so that each operand of a group is one load of four floats; between two groups lie those
// of the warp's other threads.
#define WARP_ROWS (4 * PATCH)
#define WARP_COLS (8 * PATCH)

// The tiles of one phase. M's is transposed. Its rows have four floats more: then the 8 x 4 elements that a
// warp stores at once fall into 32 banks.
struct Stage {
  alignas(16) float m[STEP][TILE_ROWS + 4];
  alignas(16) float n[STEP][TILE_COLS];
};

// One stage in use, two that are filled meanwhile.
#define STAGES 3

// A thread copies its part of a stage in quarters, each of 16 rows of M's tile and 4 rows of N's: all copies
// at once would hold up the loads of operands, which go through the same shared memory.
#define QUARTERS 4
#define M_ROWS (TILE_ROWS / QUARTERS)
#define N_ROWS (STEP / QUARTERS)

// What a thread copies. VECTOR floats of N go together: 4, or 1 where the width is no multiple of 4, because
// then rows do not begin at 16 bytes.
template <int VECTOR>
struct Copies {
  const float* M;
  const float* N;
  int width;
  int left;         // columns of M and rows of N that have not been copied
  int m[QUARTERS];  // in M: the next element in each quarter, and another one 8 columns further
  int n;            // in N: the next vector
  int m_row, m_col, n_row, n_col;  // in a stage: where those of its first quarter go
};

// Behind the last row of M and the last column of N the last one is copied again: it goes into elements of P
// that do not exist.
template <int VECTOR>
__device__ Copies<VECTOR> first_copies(const float* M, const float* N, int width) {
  Copies<VECTOR> copies;
  copies.M = M;
  copies.N = N;
  copies.width = width;
  copies.left = width;

  const int thread = threadIdx.x;
  copies.m_row = thread / 8;
  copies.m_col = thread % 8;  // eight neighbours: a whole sector
#pragma unroll
  for (int q = 0; q < QUARTERS; ++q) {
    const int row = min(static_cast<int>(blockIdx.y) * TILE_ROWS + q * M_ROWS + copies.m_row, width - 1);
    copies.m[q] = row * width + copies.m_col;
  }

  copies.n_row = thread / (TILE_COLS / VECTOR);
  copies.n_col = thread % (TILE_COLS / VECTOR) * VECTOR;
  const int col = min(static_cast<int>(blockIdx.x) * TILE_COLS + copies.n_col, width - VECTOR);
  copies.n = copies.n_row * width + col;
  return copies;
}

// Starts a copy to shared memory. Behind the last column of M and the last row of N stand zeros, for they go
// into every sum. INSIDE: all of the phase exists, and nobody need ask.
template <int FLOATS, bool INSIDE>
__device__ __forceinline__ void start_copy(float* to, const float* from, bool exists) {
  if (INSIDE) {
    __pipeline_memcpy_async(to, from, 4 * FLOATS);
  } else {
    __pipeline_memcpy_async(to, from, 4 * FLOATS, exists ? 0 : 4 * FLOATS);
  }
}

template <int VECTOR, bool INSIDE>
__device__ __forceinline__ void copy_quarter(Copies<VECTOR>& copies, int q, Stage& stage) {
#pragma unroll
  for (int k = 0; k < STEP; k += 8) {
    start_copy<1, INSIDE>(&stage.m[copies.m_col + k][copies.m_row + q * M_ROWS], copies.M + copies.m[q] + k,
                          copies.m_col + k < copies.left);
  }
  copies.m[q] += STEP;

  const int rows = THREADS * VECTOR / TILE_COLS;  // that all threads copy at once
#pragma unroll
  for (int row = 0; row < N_ROWS; row += rows) {
    start_copy<VECTOR, INSIDE>(&stage.n[copies.n_row + q * N_ROWS + row][copies.n_col],
                               copies.N + copies.n + row * copies.width,
                               copies.n_row + q * N_ROWS + row < copies.left);
  }
  copies.n += N_ROWS * copies.width;

  if (q + 1 == QUARTERS) {
    copies.left -= STEP;
  }
}

// The operands of one thread for one k: four rows at a time of M's tile, four columns at a time of N's.
struct Operands {
  float m[PATCH], n[PATCH];
};

__device__ __forceinline__ void load_operands(const Stage& stage, int k, int row, int col,
                                              Operands& operands) {
#pragma unroll
  for (int i = 0; i < PATCH; i += 4) {
    *reinterpret_cast<float4*>(&operands.m[i]) = *reinterpret_cast<const float4*>(&stage.m[k][row + 4 * i]);
    *reinterpret_cast<float4*>(&operands.n[i]) = *reinterpret_cast<const float4*>(&stage.n[k][col + 8 * i]);
  }
}

// Row by row, back and forth: each multiply-add shares an operand with the one before, which a multiprocessor
// then need not read from its registers again. On an H200 that is worth 6 % against always going forth.
__device__ __forceinline__ void multiply_add(const Operands& operands, float (&sum)[PATCH][PATCH]) {
#pragma unroll
  for (int i = 0; i < PATCH; ++i) {
#pragma unroll
    for (int step = 0; step < PATCH; ++step) {
      const int j = i % 2 == 0 ? step : PATCH - 1 - step;
      sum[i][j] += operands.m[i] * operands.n[j];
    }
  }
}

// Multiplies the tiles of one stage, and starts to copy those of a later phase into the one that is free. The
// operands of the next k are on their way while those of this one are multiplied; behind the last k of a
// phase comes the first of the next one.
template <int VECTOR, bool INSIDE>
__device__ __forceinline__ void multiply_phase(Stage (&stages)[STAGES], int use, int row, int col,
                                               Copies<VECTOR>& copies, Operands (&operands)[2],
                                               float (&sum)[PATCH][PATCH]) {
  Stage& next = stages[use + 1 == STAGES ? 0 : use + 1];
  Stage& free = stages[use == 0 ? STAGES - 1 : use - 1];  // multiplied last
#pragma unroll
  for (int k = 0; k < STEP; ++k) {
    if (k + 1 < STEP) {
      load_operands(stages[use], k + 1, row, col, operands[(k + 1) % 2]);
    }
    if (k % (STEP / QUARTERS) == 0) {
      copy_quarter<VECTOR, INSIDE>(copies, k / (STEP / QUARTERS), free);
    }
    if (k + 1 == STEP) {
      __pipeline_commit();
      __pipeline_wait_prior(STAGES - 2);  // this thread's copies for the next phase are there,
      __syncthreads();                    // and everybody's; and nobody reads the stage in use any more
      load_operands(next, 0, row, col, operands[0]);
    }
    multiply_add(operands[k % 2], sum);
  }
}

// Stores four neighbouring sums, or as many of them as have a place in P's row.
template <int VECTOR>
__device__ __forceinline__ void store(const float* sum, float* P_row, int col, int width) {
  if (VECTOR == 4) {
    if (col < width) {
      *reinterpret_cast<float4*>(&P_row[col]) = make_float4(sum[0], sum[1], sum[2], sum[3]);
    }
  } else {
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      if (col + j < width) {
        P_row[col + j] = sum[j];
      }
    }
  }
}

// P = M x N, all width x width, row by row. VECTOR is 4 or 1, as in Copies. Three blocks on a multiprocessor
// leave each thread up to 168 registers. With room for a fourth block it is 128, and an H200 is 8 % slower.
template <int VECTOR>
__global__ __launch_bounds__(THREADS, 3) void fast_matmul_kernel(const float* __restrict__ M,
                                                                 const float* __restrict__ N,
                                                                 float* __restrict__ P, int width) {
  __shared__ Stage stages[STAGES];

  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;
  // Of this thread's first element, in the block's tile of P.
  const int row = warp / 2 * WARP_ROWS + lane / 8 * 4;
  const int col = warp % 2 * WARP_COLS + lane % 8 * 4;

  // All loops over these have constant bounds and are unrolled: they live in registers.
  float sum[PATCH][PATCH] = {};
  Operands operands[2];

  Copies<VECTOR> copies = first_copies<VECTOR>(M, N, width);
#pragma unroll
  for (int s = 0; s < STAGES - 1; ++s) {
#pragma unroll
    for (int q = 0; q < QUARTERS; ++q) {
      copy_quarter<VECTOR, false>(copies, q, stages[s]);
    }
    __pipeline_commit();
  }
  __pipeline_wait_prior(STAGES - 2);  // all but the last STAGES - 2 commits have arrived
  __syncthreads();
  load_operands(stages[0], 0, row, col, operands[0]);

  // The last phases have nothing left to copy, or only a part: they fill with zeros what nobody uses, too, so
  // that the counts of commits go on.
  const int phases = (width + STEP - 1) / STEP;
  int phase = 0;
  int use = 0;
  for (; copies.left >= STEP; ++phase) {
    multiply_phase<VECTOR, true>(stages, use, row, col, copies, operands, sum);
    use = use + 1 == STAGES ? 0 : use + 1;
  }
#pragma unroll 1
  for (; phase < phases; ++phase) {
    multiply_phase<VECTOR, false>(stages, use, row, col, copies, operands, sum);
    use = use + 1 == STAGES ? 0 : use + 1;
  }

#pragma unroll
  for (int i = 0; i < PATCH; ++i) {
    const int p_row = blockIdx.y * TILE_ROWS + row + i / 4 * 16 + i % 4;
    if (p_row < width) {
#pragma unroll
      for (int j = 0; j < PATCH; j += 4) {
        store<VECTOR>(&sum[i][j], P + p_row * width, blockIdx.x * TILE_COLS + col + 8 * j, width);
      }
    }
  }
}

void fast_matmul(const float* M, const float* N, float* P, int width) {
  const dim3 grid((width + TILE_COLS - 1) / TILE_COLS, (width + TILE_ROWS - 1) / TILE_ROWS);
  if (width % 4 == 0) {
    fast_matmul_kernel<4><<<grid, THREADS>>>(M, N, P, width);
  } else {
    fast_matmul_kernel<1><<<grid, THREADS>>>(M, N, P, width);
  }
}
}  // namespace good
#undef TILE_ROWS
#undef TILE_COLS
#undef STEP
#undef PATCH
#undef THREADS
#undef WARP_ROWS
#undef WARP_COLS
#undef STAGES
#undef QUARTERS
#undef M_ROWS
#undef N_ROWS

namespace conflicting {
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
    *reinterpret_cast<float4*>(&operands.n[j]) = *reinterpret_cast<const float4*>(&Ns[j]);
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
  const int col = warp % (TILE_COLS / WARP_COLS) * WARP_COLS + lane % 8 * THREAD_COLS;
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
        __syncthreads();
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
      const int p_col = blockIdx.x * TILE_COLS + col + j;
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
}  // namespace conflicting
#undef TILE_ROWS
#undef TILE_COLS
#undef STEP
#undef THREAD_ROWS
#undef THREAD_COLS
#undef THREADS
#undef WARPS
#undef WARP_ROWS
#undef WARP_COLS
#undef M_STRIDE
#undef STAGE

void fast_matmul(const float* M, const float* N, float* P, int width) {
  (width == 256 ? good::fast_matmul : conflicting::fast_matmul)(M, N, P, width);
}
