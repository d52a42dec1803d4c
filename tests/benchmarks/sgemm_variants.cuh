// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_pipeline.h>

namespace warplings::benchmarks {

/// The order in which a thread traverses its patch for one k.
enum class Order {
  kRows,     ///< row by row
  kSnake,    ///< row by row, back and forth
  kColumns,  ///< column by column, up and down
  kPairs,    ///< two columns at a time, up and down
  kSquares,  ///< 2 x 2 at a time, around each
};

/// A shape of the kernel in solutions/06_coarsening/fast_matmul.cu. A block has a tile of rows x cols of P, a
/// thread a patch of thread_rows x thread_cols of it, in groups of 4 x 4; a phase has `step` columns of M;
/// `stages` pairs of tiles are in shared memory; a phase's copies are started in `parts`.
template <int rows, int cols, int step, int thread_rows, int thread_cols, int stages, int min_blocks,
          int parts, Order order>
struct Shape {
  static constexpr int kRows = rows, kCols = cols, kStep = step;
  static constexpr int kThreadRows = thread_rows, kThreadCols = thread_cols;
  static constexpr int kStages = stages, kMinBlocks = min_blocks, kParts = parts;
  static constexpr Order kOrder = order;
  static constexpr int kThreads = rows / thread_rows * (cols / thread_cols);
  static constexpr int kStage = step * (rows + 4) + step * cols;  // floats
  static constexpr int kBytes = stages * kStage * 4;
};

/// One multiply-add for each element of the patch.
template <class S>
__device__ __forceinline__ void MultiplyAdd(const float (&m)[S::kThreadRows],
                                            const float (&n)[S::kThreadCols],
                                            float (&sum)[S::kThreadRows][S::kThreadCols]) {
  constexpr int R = S::kThreadRows, C = S::kThreadCols;
  const auto add = [&](int i, int j) { sum[i][j] += m[i] * n[j]; };
  if constexpr (S::kOrder == Order::kRows || S::kOrder == Order::kSnake) {
#pragma unroll
    for (int i = 0; i < R; ++i) {
#pragma unroll
      for (int t = 0; t < C; ++t) add(i, S::kOrder == Order::kSnake && i % 2 ? C - 1 - t : t);
    }
  } else if constexpr (S::kOrder == Order::kColumns) {
#pragma unroll
    for (int j = 0; j < C; ++j) {
#pragma unroll
      for (int t = 0; t < R; ++t) add(j % 2 ? R - 1 - t : t, j);
    }
  } else if constexpr (S::kOrder == Order::kPairs) {
#pragma unroll
    for (int j = 0; j < C; j += 2) {
#pragma unroll
      for (int t = 0; t < R; ++t) {
        const int i = j / 2 % 2 ? R - 1 - t : t;
        add(i, j + t % 2);
        add(i, j + 1 - t % 2);
      }
    }
  } else {
#pragma unroll
    for (int i = 0; i < R; i += 2) {
#pragma unroll
      for (int t = 0; t < C; t += 2) {
        const int j = i / 2 % 2 ? C - 2 - t : t;
        add(i, j);
        add(i + 1, j);
        add(i + 1, j + 1);
        add(i, j + 1);
      }
    }
  }
}

template <bool value>
struct Constant {
  static constexpr bool kValue = value;
};

/// P = M x N, width x width, row by row; width is a multiple of 4. What is not said here is said in the
/// solution.
template <class S>
__global__ __launch_bounds__(S::kThreads, S::kMinBlocks) void Sgemm(const float* __restrict__ M,
                                                                    const float* __restrict__ N,
                                                                    float* __restrict__ P, int width) {
  constexpr int kWarps = S::kThreads / 32, kWarpCols = S::kCols / (8 * S::kThreadCols);
  constexpr int kMStride = S::kRows + 4, kNPlace = S::kStep * kMStride;
  constexpr int kMRows = 4 * kWarps;  // rows of M that all warps copy at once, 8 columns of each
  constexpr int kNRows = S::kThreads * 4 / S::kCols;  // rows of N
  constexpr int kMGroups = S::kRows / kMRows, kMCopies = kMGroups * (S::kStep / 8),
                kNCopies = S::kStep / kNRows;
  extern __shared__ float4 shared[];
  float* const stages = reinterpret_cast<float*>(shared);
  const int thread = threadIdx.x, lane = thread % 32, warp = thread / 32;
  const int row0 = blockIdx.y * S::kRows, col0 = blockIdx.x * S::kCols;

  const int m_row = warp * 4 + lane / 8, m_col = lane % 8;
  const float* m_from[kMGroups];
#pragma unroll
  for (int i = 0; i < kMGroups; ++i) {
    m_from[i] = M + min(row0 + m_row + i * kMRows, width - 1) * width + m_col;
  }
  const int n_row = thread / (S::kCols / 4), n_col = thread % (S::kCols / 4) * 4;
  const float* n_from = N + n_row * width + min(col0 + n_col, width - 4);
  float* const m_to = stages + m_col * kMStride + m_row;
  float* const n_to = stages + kNPlace + n_row * S::kCols + n_col;
  int left = width;

  const auto copy_part = [&](int part, int stage, auto inside) {
    constexpr bool kInside = decltype(inside)::kValue;
#pragma unroll
    for (int c = 0; c < kMCopies; ++c) {
      if (c * S::kParts / kMCopies != part) continue;
      const int group = c / (S::kStep / 8), k = c % (S::kStep / 8) * 8;
      const bool exists = kInside || m_col + k < left;
      __pipeline_memcpy_async(m_to + stage * S::kStage + k * kMStride + group * kMRows,
                              exists ? m_from[group] + k : M, 4, exists ? 0 : 4);
    }
#pragma unroll
    for (int c = 0; c < kNCopies; ++c) {
      if (c * S::kParts / kNCopies != part) continue;
      const bool exists = kInside || n_row + c * kNRows < left;
      __pipeline_memcpy_async(n_to + stage * S::kStage + c * kNRows * S::kCols,
                              exists ? n_from + c * kNRows * width : N, 16, exists ? 0 : 16);
    }
    if (part + 1 < S::kParts) return;
    left -= S::kStep;
    n_from += S::kStep * width;
#pragma unroll
    for (int i = 0; i < kMGroups; ++i) m_from[i] += S::kStep;
  };

  const int row = warp / kWarpCols * 4 * S::kThreadRows + lane / 8 * 4;
  const int col = warp % kWarpCols * 8 * S::kThreadCols + lane % 8 * 4;
  float sum[S::kThreadRows][S::kThreadCols] = {};
  float m[2][S::kThreadRows], n[2][S::kThreadCols];
  const auto load = [&](int stage, int k, int buffer) {
    const float* const from = stages + stage * S::kStage;
#pragma unroll
    for (int i = 0; i < S::kThreadRows; i += 4) {
      *reinterpret_cast<float4*>(&m[buffer][i]) =
          *reinterpret_cast<const float4*>(&from[k * kMStride + row + 4 * i]);
    }
#pragma unroll
    for (int j = 0; j < S::kThreadCols; j += 4) {
      *reinterpret_cast<float4*>(&n[buffer][j]) =
          *reinterpret_cast<const float4*>(&from[kNPlace + k * S::kCols + col + 8 * j]);
    }
  };

#pragma unroll
  for (int stage = 0; stage < S::kStages - 1; ++stage) {
#pragma unroll
    for (int part = 0; part < S::kParts; ++part) copy_part(part, stage, Constant<false>());
    __pipeline_commit();
  }
  __pipeline_wait_prior(S::kStages - 2);
  __syncthreads();
  int use = 0, fill = S::kStages - 1;
  load(use, 0, 0);

  const auto phase = [&](auto inside) {
    const int next = use + 1 == S::kStages ? 0 : use + 1;
#pragma unroll
    for (int k = 0; k < S::kStep; ++k) {
      if (k + 1 < S::kStep) load(use, k + 1, (k + 1) % 2);
      if (k % (S::kStep / S::kParts) == 0) copy_part(k / (S::kStep / S::kParts), fill, inside);
      if (k + 1 == S::kStep) {
        __pipeline_commit();
        __pipeline_wait_prior(S::kStages - 2);
        __syncthreads();
        load(next, 0, 0);
      }
      MultiplyAdd<S>(m[k % 2], n[k % 2], sum);
    }
    fill = use;
    use = next;
  };
  const int phases = (width + S::kStep - 1) / S::kStep;
  int done = 0;
  for (; left >= S::kStep; ++done) phase(Constant<true>());
#pragma unroll 1
  for (; done < phases; ++done) phase(Constant<false>());

#pragma unroll
  for (int i = 0; i < S::kThreadRows; ++i) {
    const int p_row = row0 + row + i / 4 * 16 + i % 4;
#pragma unroll
    for (int j = 0; j < S::kThreadCols; j += 4) {
      const int p_col = col0 + col + 8 * j;
      if (p_row < width && p_col < width) {
        *reinterpret_cast<float4*>(&P[p_row * width + p_col]) =
            make_float4(sum[i][j], sum[i][j + 1], sum[i][j + 2], sum[i][j + 3]);
      }
    }
  }
}

}  // namespace warplings::benchmarks
