// SPDX-License-Identifier: Apache-2.0
// exercise: transpose_padded
// verdict: not passed
// must not: pass
// One cudaMemcpy2D a column: pitch 4 there, pitch of a row here. No kernel.

#include "transpose_padded.h"

void transpose_padded(const float* X, float* Y, int rows, int columns) {
  for (int c = 0; c < columns; ++c)
    cudaMemcpy2D(Y + (size_t)c * rows, 4, X + c, (size_t)columns * 4, 4, rows, cudaMemcpyDeviceToDevice);
}
