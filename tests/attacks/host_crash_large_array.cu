// SPDX-License-Identifier: Apache-2.0
// verdict: crashed
// says: its stack is full
// says: large local arrays
// Host copies of the matrices as local arrays of 16 MB.
#include "tiled_matmul.h"

void tiled_matmul(const float* M, const float* N, float* P, int width) {
  volatile float copy[2048][2048];
  for (int row = 0; row < 2048; ++row) copy[row][0] = static_cast<float>(row);
  if (copy[width][0] < 0.0f) cudaMemcpy(P, M, sizeof *N, cudaMemcpyDeviceToDevice);
}
