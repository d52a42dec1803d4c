// SPDX-License-Identifier: Apache-2.0
// mistake: the values are right, but tiles are used for whole phases of 32 only; the k % 32 products that are left are
//   loaded straight from global memory, 8 bytes each. j = l = 32, k = 31: all products are such, 253952 bytes,
//   and 2 * 32 * 32 * 32 = 65536 are allowed. That x goes down P's rows is right.
// want: with k = 31, how many elements does the block fetch through its tiles, and how many past them?
#include "rect_tiled_transposed.h"

constexpr int S = 32;

// x runs along j here (that is how Mt lies in memory), y along l
__global__ void along_j(const float* Mt, const float* N, float* P, int j, int k, int l) {
  __shared__ float a[S][S];      // a[i][row]
  __shared__ float b[S][S + 1];  // b[i][col]

  const int x = threadIdx.x;
  const int y = threadIdx.y;
  const int row0 = blockIdx.x * S;
  const int col0 = blockIdx.y * S;
  const int row = row0 + x;
  const int col = col0 + y;

  float sum = 0.0f;

  // whole tiles: no check along k
  const int whole = k / S * S;
  for (int base = 0; base < whole; base += S) {
    a[y][x] = row < j ? Mt[(size_t)(base + y) * j + row] : 0.0f;
    b[y][x] = col0 + x < l ? N[(size_t)(base + y) * l + col0 + x] : 0.0f;
    __syncthreads();
#pragma unroll 8
    for (int i = 0; i < S; ++i) sum += a[i][x] * b[i][y];
    __syncthreads();
  }

  if (row >= j || col >= l) return;

  // the rest
  for (int i = whole; i < k; ++i) sum += Mt[(size_t)i * j + row] * N[(size_t)i * l + col];

  P[(size_t)row * l + col] = sum;
}

void rect_tiled_transposed(const float* Mt, const float* N, float* P, int j, int k, int l) {
  if (j == 0 || l == 0) return;
  along_j<<<dim3((j + S - 1) / S, (l + S - 1) / S), dim3(S, S)>>>(Mt, N, P, j, k, l);
}
