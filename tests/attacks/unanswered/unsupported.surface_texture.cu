// SPDX-License-Identifier: Apache-2.0
// exercise: transpose_padded
// verdict: not passed
// must not: grader_fault; pass
// Arrays, surfaces and textures.

#include "transpose_padded.h"

void transpose_padded(const float* X, float* Y, int rows, int columns) {
  cudaArray_t a;
  cudaChannelFormatDesc d = cudaCreateChannelDesc<float>();
  cudaMallocArray(&a, &d, columns, rows);
  cudaMemcpy2DToArray(a, 0, 0, X, columns * 4, columns * 4, rows, cudaMemcpyDeviceToDevice);
}
