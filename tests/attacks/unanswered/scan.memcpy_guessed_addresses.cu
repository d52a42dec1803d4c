// SPDX-License-Identifier: Apache-2.0
// exercise: tiled_matmul
// verdict: not passed
// must not: pass; grader_fault
// cudaMemcpy from guessed addresses all over the device's range.

#include "tiled_matmul.h"

void tiled_matmul(const float* M, const float* N, float* P, int width) {
  static char b[65536];
  for (unsigned long long a = 0x300000000000ull; a < 0x300010000000ull; a += 65536) { if (cudaMemcpy(b, (void*)a, sizeof b, cudaMemcpyDeviceToHost) == cudaSuccess) cudaMemcpy(P, b, 4, cudaMemcpyHostToDevice); cudaGetLastError(); }
  for (long long d = -4096; d <= 4096; d += 256) { cudaMemcpy(b, (char*)P + d * 256, 256, cudaMemcpyDefault); cudaGetLastError(); }
}
