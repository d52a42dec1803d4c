// SPDX-License-Identifier: Apache-2.0
// mistake: the operands of the next k are fetched into a second set of "registers", a[2][8] and b[2][8], of which k & 1 is
//   in use; the loop over k is not unrolled, so that the index is known only when the kernel runs, and the arrays lie in
//   local memory, which must be empty. The values and the buffers in shared memory are right.
// want: Where can an array of a thread lie, if which of its elements is wanted is known only when the kernel runs? What
//   does your report say of local memory?
#include "fast_matmul.h"

constexpr int kSide = 128;   // a block's tile of P
constexpr int kDepth = 8;
constexpr int kPitch = kSide + 4;

struct Tiles {
  float m[kDepth][kPitch];  // turned
  float n[kDepth][kPitch];
};

__device__ __forceinline__ float4 fetch(const float* a, int row, int col, int width, bool whole) {
  float4 v = {0, 0, 0, 0};
  if (row < width) {
    const float* p = a + row * width + col;
    if (whole) {  // width is a multiple of 4: all four or none
      if (col < width) v = *(const float4*)p;
    } else {
      if (col < width) v.x = p[0];
      if (col + 1 < width) v.y = p[1];
      if (col + 2 < width) v.z = p[2];
      if (col + 3 < width) v.w = p[3];
    }
  }
  return v;
}

// Four from lo and four from lo + 64.
__device__ __forceinline__ void operands(float (&to)[8], const float* lo) {
  const float4 p = *(const float4*)lo;
  const float4 q = *(const float4*)(lo + 64);
  to[0] = p.x, to[1] = p.y, to[2] = p.z, to[3] = p.w;
  to[4] = q.x, to[5] = q.y, to[6] = q.z, to[7] = q.w;
}

__global__ void __launch_bounds__(256) matmul128(const float* M, const float* N, float* P, int width) {
  __shared__ __align__(16) Tiles tiles[2];

  const int t = threadIdx.x;
  const int tx = t % 16 * 4, ty = t / 16 * 4;
  const int top = blockIdx.y * kSide, left = blockIdx.x * kSide;
  const bool whole = width % 4 == 0;

  // what this thread loads of each tile
  const int m_row = t / 2, m_k = t % 2 * 4;
  const int n_k = t / 32, n_col = t % 32 * 4;

  auto put = [&](Tiles& to, float4 m, float4 n) {
    to.m[m_k + 0][m_row] = m.x;
    to.m[m_k + 1][m_row] = m.y;
    to.m[m_k + 2][m_row] = m.z;
    to.m[m_k + 3][m_row] = m.w;
    *(float4*)&to.n[n_k][n_col] = n;
  };

  put(tiles[0], fetch(M, top + m_row, m_k, width, whole), fetch(N, n_k, left + n_col, width, whole));
  __syncthreads();

  float sum[8][8] = {};
  int now = 0;
  for (int k0 = 0; k0 < width; k0 += kDepth) {
    const int next = k0 + kDepth;
    float4 m, n;
    if (next < width) {  // on their way while we multiply
      m = fetch(M, top + m_row, next + m_k, width, whole);
      n = fetch(N, next + n_k, left + n_col, width, whole);
    }

    const Tiles& tile = tiles[now];
    float a[2][8], b[2][8];
    operands(a[0], &tile.m[0][ty]);
    operands(b[0], &tile.n[0][tx]);
#pragma unroll 1
    for (int k = 0; k < kDepth; ++k) {
      const int cur = k & 1;
      if (k + 1 < kDepth) {  // the next operands, into the other registers
        operands(a[cur ^ 1], &tile.m[k + 1][ty]);
        operands(b[cur ^ 1], &tile.n[k + 1][tx]);
      }
#pragma unroll
      for (int i = 0; i < 8; ++i)
#pragma unroll
        for (int j = 0; j < 8; ++j) sum[i][j] += a[cur][i] * b[cur][j];
    }

    if (next < width) put(tiles[now ^ 1], m, n);
    __syncthreads();
    now ^= 1;
  }

#pragma unroll
  for (int i = 0; i < 8; ++i) {
    const int row = top + (i < 4 ? 0 : 60) + ty + i;
    if (row >= width) continue;
#pragma unroll
    for (int j = 0; j < 8; ++j) {
      const int col = left + (j < 4 ? 0 : 60) + tx + j;
      if (col < width) P[row * width + col] = sum[i][j];
    }
  }
}

void fast_matmul(const float* M, const float* N, float* P, int width) {
  const int n = (width + kSide - 1) / kSide;
  matmul128<<<dim3(n, n), 256>>>(M, N, P, width);
}
