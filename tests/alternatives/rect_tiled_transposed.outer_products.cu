// SPDX-License-Identifier: Apache-2.0
// differs: each thread has a patch of 2 x 2 elements and adds outer products; tiles of 32 columns and 8 deep, float2
// operands from shared memory; blocks of 16 x 16 as 256 in a row.

#include "rect_tiled_transposed.h"

constexpr int kSpan = 32;  // rows and columns of P, for a block
constexpr int kDeep = 8;

__global__ void outer(const float* __restrict__ Mt, const float* __restrict__ N, float* __restrict__ P, int j, int k, int l) {
  __shared__ alignas(8) float a[kDeep][kSpan];
  __shared__ alignas(8) float b[kDeep][kSpan];

  const int t = threadIdx.x;
  const int along = t % kSpan, deep = t / kSpan;         // what it loads
  const int r = t / 16 * 2, c = t % 16 * 2;              // what it computes
  const int top = blockIdx.y * kSpan, left = blockIdx.x * kSpan;

  float s00 = 0, s01 = 0, s10 = 0, s11 = 0;
  for (int first = 0; first < k; first += kDeep) {
    const int i = first + deep;
    a[deep][along] = i < k && top + along < j ? Mt[i * j + top + along] : 0.0f;
    b[deep][along] = i < k && left + along < l ? N[i * l + left + along] : 0.0f;
    __syncthreads();
#pragma unroll
    for (int d = 0; d < kDeep; ++d) {
      const float2 m = *reinterpret_cast<const float2*>(&a[d][r]);
      const float2 n = *reinterpret_cast<const float2*>(&b[d][c]);
      s00 += m.x * n.x;
      s01 += m.x * n.y;
      s10 += m.y * n.x;
      s11 += m.y * n.y;
    }
    __syncthreads();
  }

  const auto put = [=](int row, int col, float value) {
    if (row < j && col < l) P[row * l + col] = value;
  };
  put(top + r, left + c, s00);
  put(top + r, left + c + 1, s01);
  put(top + r + 1, left + c, s10);
  put(top + r + 1, left + c + 1, s11);
}

void rect_tiled_transposed(const float* Mt, const float* N, float* P, int j, int k, int l) {
  if (j == 0 || l == 0) return;
  outer<<<dim3((l + kSpan - 1) / kSpan, (j + kSpan - 1) / kSpan), 256>>>(Mt, N, P, j, k, l);
}
