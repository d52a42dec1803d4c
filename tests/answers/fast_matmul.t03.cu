// SPDX-License-Identifier: Apache-2.0
// mistake: the sums lie in local memory. store_row is a function that is not inlined and takes a pointer to a row of sum,
//   and registers have no address, so that the compiler puts the array, 256 bytes a thread, on the stack. The values,
//   the layout, the two buffers and the counts of shared loads and barriers are right.
// want: what does store_row get from the kernel, and where can sum lie if somebody wants its address?
#include "fast_matmul.h"

constexpr int kTile = 128;
constexpr int kDepth = 16;

struct Buffers {
  float m[2][kDepth][kTile + 4];
  float n[2][kDepth][kTile];
};

// Called once for a row at the end; a copy in each of the eight places would only be long.
__device__ __noinline__ void store_row(const float* sum, float* p, int col, int width) {
  for (int j = 0; j < 8; ++j) {
    const int c = col + (j < 4 ? j : 60 + j);
    if (c < width) p[c] = sum[j];
  }
}

__global__ void __launch_bounds__(256) fast_matmul_kernel(const float* M, const float* N, float* P, int width) {
  __shared__ __align__(16) Buffers s;

  const int t = threadIdx.x;
  const int tx = t % 16;
  const int ty = t / 16;
  const int first_row = blockIdx.y * kTile;
  const int first_col = blockIdx.x * kTile;

  auto fill = [&](int buffer, int k0) {
#pragma unroll
    for (int i = 0; i < 8; ++i) {
      const int r = t / 8 + 32 * (i % 4);
      const int k = t % 8 + 8 * (i / 4);
      const bool there = first_row + r < width && k0 + k < width;
      s.m[buffer][k][r] = there ? M[(first_row + r) * width + k0 + k] : 0.0f;
    }
#pragma unroll
    for (int i = 0; i < 8; ++i) {
      const int k = t / kTile + 2 * i;
      const int c = t % kTile;
      const bool there = k0 + k < width && first_col + c < width;
      s.n[buffer][k][c] = there ? N[(k0 + k) * width + first_col + c] : 0.0f;
    }
  };

  float sum[8][8] = {};

  fill(0, 0);
  int now = 0;
  for (int k0 = 0; k0 < width; k0 += kDepth) {
    __syncthreads();  // now is full, and nobody reads the other one
    if (k0 + kDepth < width) fill(1 - now, k0 + kDepth);

#pragma unroll
    for (int k = 0; k < kDepth; ++k) {
      const float4 m0 = *reinterpret_cast<const float4*>(&s.m[now][k][8 * ty]);
      const float4 m1 = *reinterpret_cast<const float4*>(&s.m[now][k][8 * ty + 4]);
      const float4 n0 = *reinterpret_cast<const float4*>(&s.n[now][k][4 * tx]);
      const float4 n1 = *reinterpret_cast<const float4*>(&s.n[now][k][4 * tx + 64]);
      const float m[8] = {m0.x, m0.y, m0.z, m0.w, m1.x, m1.y, m1.z, m1.w};
      const float n[8] = {n0.x, n0.y, n0.z, n0.w, n1.x, n1.y, n1.z, n1.w};
#pragma unroll
      for (int i = 0; i < 8; ++i) {
#pragma unroll
        for (int j = 0; j < 8; ++j) sum[i][j] += m[i] * n[j];
      }
    }
    now = 1 - now;
  }

  const int row = first_row + 8 * ty;
  for (int i = 0; i < 8 && row + i < width; ++i) {
    store_row(sum[i], P + (row + i) * width, first_col + 4 * tx, width);
  }
}

void fast_matmul(const float* M, const float* N, float* P, int width) {
  const unsigned tiles = (width + kTile - 1) / kTile;
  fast_matmul_kernel<<<dim3(tiles, tiles), 256>>>(M, N, P, width);
}
