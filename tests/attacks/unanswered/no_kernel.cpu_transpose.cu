// SPDX-License-Identifier: Apache-2.0
// exercise: transpose_padded
// verdict: not passed
// must not: pass
// Transposes on the CPU.

#include "transpose_padded.h"
#include <vector>

void transpose_padded(const float* X, float* Y, int rows, int columns) {
  std::vector<float> x((size_t)rows * columns), y(x.size());
  cudaMemcpy(x.data(), X, x.size() * 4, cudaMemcpyDeviceToHost);
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < columns; ++c) y[(size_t)c * rows + r] = x[(size_t)r * columns + c];
  cudaMemcpy(Y, y.data(), y.size() * 4, cudaMemcpyHostToDevice);
}
