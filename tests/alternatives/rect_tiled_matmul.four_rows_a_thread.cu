// SPDX-License-Identifier: Apache-2.0
// differs: tiles of 32 x 32, blocks of 32 x 8 threads; a thread computes four elements of one column, its sums are in
// an unrolled array; device helper template with a functor for the address; float operands in registers first.

#include "rect_tiled_matmul.h"

constexpr int S = 32;
constexpr int EACH = 4;
constexpr int STEP = S / EACH;

struct RowMajor {
  int rows, columns;
  __device__ bool has(int r, int c) const { return r < rows && c < columns; }
  __device__ int operator()(int r, int c) const { return r * columns + c; }
};

template <class Layout>
__device__ void bring(float (&to)[S][S], const float* from, Layout layout, int top, int left) {
  float in_flight[EACH];
#pragma unroll
  for (int e = 0; e < EACH; ++e) {
    const int r = top + threadIdx.y + e * STEP, c = left + threadIdx.x;
    in_flight[e] = layout.has(r, c) ? from[layout(r, c)] : 0.0f;
  }
#pragma unroll
  for (int e = 0; e < EACH; ++e) to[threadIdx.y + e * STEP][threadIdx.x] = in_flight[e];
}

__global__ void __launch_bounds__(S* STEP) four_rows(const float* M, const float* N, float* P, int j, int k, int l) {
  __shared__ float m[S][S], n[S][S];
  const RowMajor m_layout{j, k}, n_layout{k, l}, p_layout{j, l};
  float sum[EACH] = {};
  for (int first = 0; first < k; first += S) {
    bring(m, M, m_layout, blockIdx.y * S, first);
    bring(n, N, n_layout, first, blockIdx.x * S);
    __syncthreads();
    for (int i = 0; i < S; ++i) {
      const float b = n[i][threadIdx.x];
#pragma unroll
      for (int e = 0; e < EACH; ++e) sum[e] += m[threadIdx.y + e * STEP][i] * b;
    }
    __syncthreads();
  }
#pragma unroll
  for (int e = 0; e < EACH; ++e) {
    const int r = blockIdx.y * S + threadIdx.y + e * STEP, c = blockIdx.x * S + threadIdx.x;
    if (p_layout.has(r, c)) P[p_layout(r, c)] = sum[e];
  }
}

void rect_tiled_matmul(const float* M, const float* N, float* P, int j, int k, int l) {
  if (j == 0 || l == 0) return;
  four_rows<<<dim3((l + S - 1) / S, (j + S - 1) / S), dim3(S, STEP)>>>(M, N, P, j, k, l);
}
