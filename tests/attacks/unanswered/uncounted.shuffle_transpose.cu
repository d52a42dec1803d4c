// SPDX-License-Identifier: Apache-2.0
// exercise: transpose_padded
// verdict: not passed
// must not: pass
// Reads X down a column (uncoalesced) for half of the rows, hidden behind a sector total of few rows a block: a warp reads 32 rows, one sector each, and uses the other seven floats later from registers. (Legitimate idea, but lanes idle: only one warp in 8 loads.)

#include "transpose_padded.h"

__global__ void transpose_kernel(const float* X, float* Y, int rows, int columns) {
  const int r = blockIdx.y * 32 + threadIdx.x, c0 = blockIdx.x * 32;
  for (int c = c0; c < c0 + 32 && c < columns; ++c)
    if (r < rows) Y[c * rows + r] = X[r * columns + c];
}

void transpose_padded(const float* X, float* Y, int rows, int columns) {
  transpose_kernel<<<dim3((columns + 31) / 32, (rows + 31) / 32), 32>>>(X, Y, rows, columns);
}
