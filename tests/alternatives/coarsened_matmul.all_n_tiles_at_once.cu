// SPDX-License-Identifier: Apache-2.0
// differs: all four tiles of N are in shared memory together (20 KB, dynamic), two barriers in a phase; four sums as four
// variables, unrolled by hand.

#include "coarsened_matmul.h"

#define S 32

__global__ void together(const float* M, const float* N, float* P, int width) {
  extern __shared__ float memory[];
  float* const m = memory;              // [32][32]
  float* const n = memory + S * S;      // [32][128]
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * S + ty, col = blockIdx.x * 4 * S + tx;

  float a = 0, b = 0, c = 0, d = 0;
  for (int first = 0; first < width; first += S) {
    const bool has_row = first + ty < width;
    const float* const line = N + (first + ty) * width;
    m[ty * S + tx] = row < width && first + tx < width ? M[row * width + first + tx] : 0;
    n[ty * 4 * S + tx] = has_row && col < width ? line[col] : 0;
    n[ty * 4 * S + tx + 32] = has_row && col + 32 < width ? line[col + 32] : 0;
    n[ty * 4 * S + tx + 64] = has_row && col + 64 < width ? line[col + 64] : 0;
    n[ty * 4 * S + tx + 96] = has_row && col + 96 < width ? line[col + 96] : 0;
    __syncthreads();
    for (int k = 0; k < S; ++k) {
      const float x = m[ty * S + k];
      const float* const y = n + k * 4 * S + tx;
      a += x * y[0];
      b += x * y[32];
      c += x * y[64];
      d += x * y[96];
    }
    __syncthreads();
  }
  if (row >= width) return;
  float* const p = P + row * width;
  if (col < width) p[col] = a;
  if (col + 32 < width) p[col + 32] = b;
  if (col + 64 < width) p[col + 64] = c;
  if (col + 96 < width) p[col + 96] = d;
}

void coarsened_matmul(const float* M, const float* N, float* P, int width) {
  together<<<dim3((width + 4 * S - 1) / (4 * S), (width + S - 1) / S), dim3(S, S), 5 * S * S * sizeof(float)>>>(M, N, P, width);
}
