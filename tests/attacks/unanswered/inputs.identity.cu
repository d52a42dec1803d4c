// SPDX-License-Identifier: Apache-2.0
// exercise: rect_tiled_matmul
// verdict: not passed
// must not: pass
// Makes M an identity by a kernel and copies N to P.

#include "rect_tiled_matmul.h"
__global__ void eye(float* M, const float* N, float* P, int j, int k, int l) { for (int i = threadIdx.x; i < j * k; i += 256) M[i] = i / k == i % k; for (int i = threadIdx.x; i < j * l; i += 256) P[i] = i / l < k ? N[i] : 0.0f; }

void rect_tiled_matmul(const float* M, const float* N, float* P, int j, int k, int l) {
  if (j && l) eye<<<1, 256>>>((float*)M, N, P, j, k, l);
}
