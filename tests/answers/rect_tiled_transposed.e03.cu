// SPDX-License-Identifier: Apache-2.0
// mistake: whether float4 loads are possible is decided once, from j, for Mt and for N. N's rows are l long: if j
//   is a multiple of 4 and l is not, the loads from N are misaligned (j = 8, k = 2, l = 5).
// want: `wide` says that Mt's rows begin at multiples of 16 bytes. How long is a row of N, and what does `wide`
//   know about that?

#include "rect_tiled_transposed.h"

#define TILE 32

// Four neighbours of row r of a rows x cols matrix, zeros where there is nothing.
__device__ float4 four(const float* A, int r, int c, int rows, int cols, bool wide) {
  float4 v = make_float4(0.f, 0.f, 0.f, 0.f);
  if (r < rows) {
    const float* a = A + r * cols + c;
    if (wide && c + 4 <= cols) {
      v = *(const float4*)a;
    } else {
      if (c + 0 < cols) v.x = a[0];
      if (c + 1 < cols) v.y = a[1];
      if (c + 2 < cols) v.z = a[2];
      if (c + 3 < cols) v.w = a[3];
    }
  }
  return v;
}

__global__ void rect_tiled_transposed_kernel(const float* Mt, const float* N, float* P, int j, int k, int l) {
  __shared__ __align__(16) float Ms[TILE][TILE];  // rows of Mt
  __shared__ __align__(16) float Ns[TILE][TILE];

  const int r = threadIdx.y;      // 0 .. 31
  const int c = threadIdx.x * 4;  // 0, 4, .. 28
  const int row0 = blockIdx.y * TILE;
  const int col0 = blockIdx.x * TILE;

  // rows that do not begin at a multiple of 16 bytes have to be read one by one
  const bool wide = (j & 3) == 0;

  float acc[4] = {0.f, 0.f, 0.f, 0.f};
  for (int p = 0; p < k; p += TILE) {
    *(float4*)&Ms[r][c] = four(Mt, p + r, row0 + c, k, j, wide);
    *(float4*)&Ns[r][c] = four(N, p + r, col0 + c, k, l, wide);
    __syncthreads();
    for (int i = 0; i < TILE; ++i) {
      const float m = Ms[i][r];
      for (int q = 0; q < 4; ++q) acc[q] += m * Ns[i][c + q];
    }
    __syncthreads();
  }

  const int row = row0 + r;
  for (int q = 0; q < 4; ++q) {
    const int col = col0 + c + q;
    if (row < j && col < l) P[row * l + col] = acc[q];
  }
}

void rect_tiled_transposed(const float* Mt, const float* N, float* P, int j, int k, int l) {
  if (j == 0 || l == 0) return;
  const dim3 block(TILE / 4, TILE);
  const dim3 grid((l + TILE - 1) / TILE, (j + TILE - 1) / TILE);
  rect_tiled_transposed_kernel<<<grid, block>>>(Mt, N, P, j, k, l);
}
