// SPDX-License-Identifier: Apache-2.0
// exercise: rect_matmul
// verdict: not passed
// must not: pass
// <<<1, 1>>> computes all of P ("one thread for each element of P").

#include "rect_matmul.h"

__global__ void rect_matmul_kernel(const float* M, const float* N, float* P, int j, int k, int l) {
  for (int r = 0; r < j; ++r)
    for (int c = 0; c < l; ++c) {
      float s = 0;
      for (int i = 0; i < k; ++i) s += M[r * k + i] * N[i * l + c];
      P[r * l + c] = s;
    }
}

void rect_matmul(const float* M, const float* N, float* P, int j, int k, int l) {
  rect_matmul_kernel<<<1, 1>>>(M, N, P, j, k, l);
}
