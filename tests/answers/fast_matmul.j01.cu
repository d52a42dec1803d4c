// SPDX-License-Identifier: Apache-2.0
// mistake: asks whether the bytes of a row are a multiple of 4, which they always are, before it loads a float4; an
//   address must be a multiple of 16. Where width is no multiple of 4, rows 1, 2, ... begin beside such an address, and
//   the load is a misaligned access that ends the kernel. Multiples of 4, and widths below 4, are right.
// want: width is 5: at which byte does row 1 of M begin, and is that a multiple of 16? For which widths is
//   rows_are_aligned false at all?
#include "fast_matmul.h"

#define TILE 128   // of P, for a block
#define DEPTH 16   // of one phase
#define THREADS 256

// Four neighbours of a row, zeros where there are none.
__device__ __forceinline__ float4 four(const float* A, int row, int col, int width, bool vector) {
  float4 v = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
  if (row >= width) return v;
  const float* p = A + (size_t)row * width + col;
  if (vector && col + 3 < width) {
    v = *reinterpret_cast<const float4*>(p);
  } else {
    if (col + 0 < width) v.x = p[0];
    if (col + 1 < width) v.y = p[1];
    if (col + 2 < width) v.z = p[2];
    if (col + 3 < width) v.w = p[3];
  }
  return v;
}

__global__ void __launch_bounds__(THREADS) fast_matmul_kernel(const float* M, const float* N, float* P, int width) {
  __shared__ __align__(16) float Ms[DEPTH][TILE];  // transposed
  __shared__ __align__(16) float Ns[DEPTH][TILE];

  const int t = threadIdx.x;
  const int tx = t % 16;
  const int ty = t / 16;
  const int top = blockIdx.y * TILE;
  const int left = blockIdx.x * TILE;

  // a row must be a whole number of vector elements
  const bool rows_are_aligned = (width * sizeof(float)) % 4 == 0;

  float acc[8][8] = {};

  for (int k0 = 0; k0 < width; k0 += DEPTH) {
#pragma unroll
    for (int h = 0; h < 2; ++h) {
      const int m_row = t % TILE;
      const int m_col = t / TILE * 8 + h * 4;
      const float4 m = four(M, top + m_row, k0 + m_col, width, rows_are_aligned);
      Ms[m_col + 0][m_row] = m.x;
      Ms[m_col + 1][m_row] = m.y;
      Ms[m_col + 2][m_row] = m.z;
      Ms[m_col + 3][m_row] = m.w;

      const int n_row = t / 32 + h * 8;
      const int n_col = t % 32 * 4;
      *reinterpret_cast<float4*>(&Ns[n_row][n_col]) = four(N, k0 + n_row, left + n_col, width, rows_are_aligned);
    }
    __syncthreads();

#pragma unroll
    for (int k = 0; k < DEPTH; ++k) {
      const float4 a0 = *reinterpret_cast<const float4*>(&Ms[k][ty * 4]);
      const float4 a1 = *reinterpret_cast<const float4*>(&Ms[k][ty * 4 + 64]);
      const float4 b0 = *reinterpret_cast<const float4*>(&Ns[k][tx * 4]);
      const float4 b1 = *reinterpret_cast<const float4*>(&Ns[k][tx * 4 + 64]);
      const float a[8] = {a0.x, a0.y, a0.z, a0.w, a1.x, a1.y, a1.z, a1.w};
      const float b[8] = {b0.x, b0.y, b0.z, b0.w, b1.x, b1.y, b1.z, b1.w};
#pragma unroll
      for (int i = 0; i < 8; ++i) {
#pragma unroll
        for (int j = 0; j < 8; ++j) acc[i][j] += a[i] * b[j];
      }
    }
    __syncthreads();
  }

#pragma unroll
  for (int i = 0; i < 8; ++i) {
    const int row = top + ty * 4 + i % 4 + i / 4 * 64;
#pragma unroll
    for (int j = 0; j < 8; ++j) {
      const int col = left + tx * 4 + j % 4 + j / 4 * 64;
      if (row < width && col < width) P[(size_t)row * width + col] = acc[i][j];
    }
  }
}

void fast_matmul(const float* M, const float* N, float* P, int width) {
  const int tiles = (width + TILE - 1) / TILE;
  fast_matmul_kernel<<<dim3(tiles, tiles), THREADS>>>(M, N, P, width);
}
