// SPDX-License-Identifier: Apache-2.0
// mistake: with two buffers the one barrier of a phase stands before the stores into the next buffer instead of
//   after them: the next phase reads this buffer without waiting for the other threads' stores.
// want: name, for one buffer, the store of phase p and the reads of phase p + 1, and the barrier that lies
//   between them. With two buffers one barrier is enough, but only in one place.
#include "fast_matmul.h"

constexpr int kTile = 64;     // of P, both ways
constexpr int kStep = 8;      // of k
constexpr int kThreads = 256; // 16 x 16, 4 x 4 elements each

struct Buffer {
  float m[kStep][kTile + 4];  // transposed
  float n[kStep][kTile];
};

__device__ __forceinline__ float4 fetch4(const float* A, int row, int col, int width, bool vector) {
  float4 v = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
  if (row >= width) return v;
  const float* p = A + row * width + col;
  if (vector) {
    if (col < width) v = *reinterpret_cast<const float4*>(p);
  } else {
    if (col + 0 < width) v.x = p[0];
    if (col + 1 < width) v.y = p[1];
    if (col + 2 < width) v.z = p[2];
    if (col + 3 < width) v.w = p[3];
  }
  return v;
}

__global__ void __launch_bounds__(kThreads)
    fast_matmul_kernel(const float* __restrict__ M, const float* __restrict__ N, float* __restrict__ P, int width,
                       bool vector) {
  __shared__ __align__(16) Buffer buffers[2];

  const int t = threadIdx.x;
  const int row0 = blockIdx.y * kTile;
  const int col0 = blockIdx.x * kTile;
  const int ty = t / 16 * 4;
  const int tx = t % 16 * 4;

  // One half of the threads brings the tile of M, the other one that of N: four floats each.
  const bool loads_m = t < kThreads / 2;
  const int m_row = t / 2, m_col = t % 2 * 4;
  const int n_row = t / 16 % kStep, n_col = t % 16 * 4;

  auto fetch = [&](int k0) {
    return loads_m ? fetch4(M, row0 + m_row, k0 + m_col, width, vector)
                   : fetch4(N, k0 + n_row, col0 + n_col, width, vector);
  };
  auto store = [&](Buffer& b, float4 v) {
    if (loads_m) {
      b.m[m_col + 0][m_row] = v.x;
      b.m[m_col + 1][m_row] = v.y;
      b.m[m_col + 2][m_row] = v.z;
      b.m[m_col + 3][m_row] = v.w;
    } else {
      *reinterpret_cast<float4*>(&b.n[n_row][n_col]) = v;
    }
  };

  store(buffers[0], fetch(0));
  __syncthreads();

  float sum[4][4] = {};
  int use = 0;
  for (int k0 = 0; k0 < width; k0 += kStep) {
    // On their way while this phase is multiplied. Behind the end: zeros.
    const float4 v = fetch(k0 + kStep);

    const Buffer& b = buffers[use];
#pragma unroll
    for (int k = 0; k < kStep; ++k) {
      const float4 a = *reinterpret_cast<const float4*>(&b.m[k][ty]);
      const float4 c = *reinterpret_cast<const float4*>(&b.n[k][tx]);
      const float rows[4] = {a.x, a.y, a.z, a.w};
      const float cols[4] = {c.x, c.y, c.z, c.w};
#pragma unroll
      for (int i = 0; i < 4; ++i) {
#pragma unroll
        for (int j = 0; j < 4; ++j) {
          sum[i][j] += rows[i] * cols[j];
        }
      }
    }

    // Nobody may be in the other buffer any more when it is filled.
    __syncthreads();
    use ^= 1;
    store(buffers[use], v);
  }

#pragma unroll
  for (int i = 0; i < 4; ++i) {
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      const int row = row0 + ty + i;
      const int col = col0 + tx + j;
      if (row < width && col < width) {
        P[row * width + col] = sum[i][j];
      }
    }
  }
}

void fast_matmul(const float* M, const float* N, float* P, int width) {
  const int tiles = (width + kTile - 1) / kTile;
  fast_matmul_kernel<<<dim3(tiles, tiles), kThreads>>>(M, N, P, width, width % 4 == 0);
}
