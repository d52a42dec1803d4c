// SPDX-License-Identifier: Apache-2.0
// exercise: tiled_matmul
// verdict: not passed
// must not: hang longer than 60 s; grader_fault
// Ten million cheap calls: cudaGetLastError, cudaGetDevice, cudaPointerGetAttributes, 4-byte copies.

#include "tiled_matmul.h"

void tiled_matmul(const float* M, const float* N, float* P, int width) {
  float f;
  for (int i = 0; i < 10000000; ++i) { int d; cudaGetDevice(&d); cudaGetLastError(); cudaMemcpy(&f, M, 4, cudaMemcpyDeviceToHost); cudaMemcpy(P, &f, 4, cudaMemcpyHostToDevice); }
}
