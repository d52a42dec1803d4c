// SPDX-License-Identifier: Apache-2.0
// mistake: whether four elements are loaded as one float4 depends only on whether all four exist, not on whether they
//   begin at a multiple of 16 bytes: where width is no multiple of 4, rows do not. At width 65 row 1 of M begins at
//   byte 260, and the load is misaligned (an error of the launch). Widths that are multiples of 4 are right.
// want: width is 65: at which byte does row 1 of M begin, and what does a load of a float4 ask of its address?
#include "fast_matmul.h"

#define TILE 128
#define DEPTH 8
#define PITCH (TILE + 4)

// Four neighbours from row r, beginning at column c; 0 where there is none.
__device__ __forceinline__ float4 fetch(const float* A, int r, int c, int width) {
  float4 v = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
  if (r >= width) return v;
  const float* a = A + (size_t)r * width + c;
  if (c + 3 < width) return *reinterpret_cast<const float4*>(a);
  if (c < width) v.x = a[0];
  if (c + 1 < width) v.y = a[1];
  if (c + 2 < width) v.z = a[2];
  return v;
}

__global__ void __launch_bounds__(256) fast_matmul_kernel(const float* M, const float* N, float* P, int width) {
  __shared__ __align__(16) float Ms[2][DEPTH][PITCH];  // M's tile lies transposed
  __shared__ __align__(16) float Ns[2][DEPTH][TILE];

  const int t = threadIdx.x;
  const int tx = t % 16;
  const int ty = t / 16;
  const int top = blockIdx.y * TILE;
  const int left = blockIdx.x * TILE;

  // What this thread carries.
  const int m_row = t / 2, m_col = t % 2 * 4;
  const int n_row = t / 32, n_col = t % 32 * 4;

  float4 m = fetch(M, top + m_row, m_col, width);
  float4 n = fetch(N, n_row, left + n_col, width);

  const auto put = [&](int b) {
    Ms[b][m_col + 0][m_row] = m.x;
    Ms[b][m_col + 1][m_row] = m.y;
    Ms[b][m_col + 2][m_row] = m.z;
    Ms[b][m_col + 3][m_row] = m.w;
    *reinterpret_cast<float4*>(&Ns[b][n_row][n_col]) = n;
  };
  put(0);
  __syncthreads();

  float sum[8][8] = {};
  const int phases = (width + DEPTH - 1) / DEPTH;
  for (int phase = 0; phase < phases; ++phase) {
    const int b = phase & 1;
    const bool more = phase + 1 < phases;
    if (more) {  // on their way while these are multiplied
      m = fetch(M, top + m_row, (phase + 1) * DEPTH + m_col, width);
      n = fetch(N, (phase + 1) * DEPTH + n_row, left + n_col, width);
    }

#pragma unroll
    for (int k = 0; k < DEPTH; ++k) {
      float x[8], y[8];
      *reinterpret_cast<float4*>(x) = *reinterpret_cast<const float4*>(&Ms[b][k][ty * 4]);
      *reinterpret_cast<float4*>(x + 4) = *reinterpret_cast<const float4*>(&Ms[b][k][64 + ty * 4]);
      *reinterpret_cast<float4*>(y) = *reinterpret_cast<const float4*>(&Ns[b][k][tx * 4]);
      *reinterpret_cast<float4*>(y + 4) = *reinterpret_cast<const float4*>(&Ns[b][k][64 + tx * 4]);
#pragma unroll
      for (int i = 0; i < 8; ++i) {
#pragma unroll
        for (int j = 0; j < 8; ++j) sum[i][j] += x[i] * y[j];
      }
    }

    if (more) {
      put(b ^ 1);
      __syncthreads();
    }
  }

#pragma unroll
  for (int i = 0; i < 8; ++i) {
    const int row = top + i / 4 * 64 + ty * 4 + i % 4;
#pragma unroll
    for (int j = 0; j < 8; ++j) {
      const int col = left + j / 4 * 64 + tx * 4 + j % 4;
      if (row < width && col < width) P[(size_t)row * width + col] = sum[i][j];
    }
  }
}

void fast_matmul(const float* M, const float* N, float* P, int width) {
  const int tiles = (width + TILE - 1) / TILE;
  fast_matmul_kernel<<<dim3(tiles, tiles), 256>>>(M, N, P, width);
}
