// SPDX-License-Identifier: Apache-2.0
// exercise: transpose_padded
// verdict: not passed
// must not: pass; grader_fault
// cudaMemcpyPeer and cudaMemcpy3D for the same purpose, whichever is there.

#include "transpose_padded.h"

void transpose_padded(const float* X, float* Y, int rows, int columns) {
  for (int c = 0; c < columns; ++c)
    for (int r = 0; r < rows; ++r) cudaMemcpyPeerAsync(Y + (size_t)c * rows + r, 0, X + (size_t)r * columns + c, 0, 4, 0);
}
