// SPDX-License-Identifier: Apache-2.0
// mistake: The elements fetched in advance are kept in arrays of two sets, chosen by the phase's parity: an index that is not known
//   when the kernel is compiled, so both arrays lie in local memory. The contract allows nothing there. One set would do.
//   Values, sectors, loads from shared memory and barriers are right.
// want: Look at the report's line on local memory. Registers have no address: which of your arrays is indexed by something that
//   only the running kernel knows?
#include "fast_matmul.h"

constexpr int kTile = 128;   // of P, for a block
constexpr int kDepth = 16;   // of a phase
constexpr int kThreads = 256;
constexpr int kPatch = 8;
constexpr int kLoads = kTile * kDepth / kThreads;  // of M and of N, for a thread

__global__ void __launch_bounds__(kThreads) fast_matmul_kernel(const float* M, const float* N, float* P, int width) {
  __shared__ __align__(16) float Ms[kTile][kDepth];
  __shared__ __align__(16) float Ns[kDepth][kTile];

  const int t = threadIdx.x;
  const int tx = t % 16;
  const int ty = t / 16;
  const int row0 = blockIdx.y * kTile;
  const int col0 = blockIdx.x * kTile;

  // What is on its way from global memory: one set arrives while the other is in use.
  float m_next[2][kLoads];
  float n_next[2][kLoads];

  auto fetch = [&](int phase) {
    const int k0 = phase * kDepth;
#pragma unroll
    for (int i = 0; i < kLoads; ++i) {
      const int m_row = row0 + t / 16 + 16 * i, m_col = k0 + t % 16;
      m_next[phase & 1][i] = m_row < width && m_col < width ? M[m_row * width + m_col] : 0.0f;
      const int n_row = k0 + t / 128 + 2 * i, n_col = col0 + t % 128;
      n_next[phase & 1][i] = n_row < width && n_col < width ? N[n_row * width + n_col] : 0.0f;
    }
  };

  float sum[kPatch][kPatch] = {};
  const int phases = (width + kDepth - 1) / kDepth;
  fetch(0);

  for (int phase = 0; phase < phases; ++phase) {
#pragma unroll
    for (int i = 0; i < kLoads; ++i) {
      Ms[t / 16 + 16 * i][t % 16] = m_next[phase & 1][i];
      Ns[t / 128 + 2 * i][t % 128] = n_next[phase & 1][i];
    }
    __syncthreads();

    if (phase + 1 < phases) fetch(phase + 1);

#pragma unroll
    for (int k = 0; k < kDepth; k += 4) {
      float4 m[kPatch];
#pragma unroll
      for (int r = 0; r < kPatch; ++r) m[r] = *reinterpret_cast<const float4*>(&Ms[ty + 16 * r][k]);
#pragma unroll
      for (int j = 0; j < 4; ++j) {
        const float4 a = *reinterpret_cast<const float4*>(&Ns[k + j][4 * tx]);
        const float4 b = *reinterpret_cast<const float4*>(&Ns[k + j][64 + 4 * tx]);
        const float n[kPatch] = {a.x, a.y, a.z, a.w, b.x, b.y, b.z, b.w};
#pragma unroll
        for (int r = 0; r < kPatch; ++r) {
          const float v = j == 0 ? m[r].x : j == 1 ? m[r].y : j == 2 ? m[r].z : m[r].w;
#pragma unroll
          for (int c = 0; c < kPatch; ++c) sum[r][c] = fmaf(v, n[c], sum[r][c]);
        }
      }
    }
    __syncthreads();
  }

#pragma unroll
  for (int r = 0; r < kPatch; ++r) {
    const int row = row0 + ty + 16 * r;
#pragma unroll
    for (int c = 0; c < kPatch; ++c) {
      const int col = col0 + 4 * tx + (c & 3) + (c & 4) * 16;
      if (row < width && col < width) P[row * width + col] = sum[r][c];
    }
  }
}

void fast_matmul(const float* M, const float* N, float* P, int width) {
  const int tiles = (width + kTile - 1) / kTile;
  fast_matmul_kernel<<<dim3(tiles, tiles), kThreads>>>(M, N, P, width);
}
