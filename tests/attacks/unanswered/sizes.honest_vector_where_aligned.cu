// SPDX-License-Identifier: Apache-2.0
// exercise: when_not_to
// verdict: passed
// must not: be refused (needs the answers of when_not_to.toml, which lie beside the workbook's file)
// Honest control: loads of float4 where length and factor allow; scalar else.

#include "when_not_to.h"

__global__ void scalar(const float* A, const float* B, float* C, int n, int f) {
  for (int c = 0; c < f; ++c) {
    const int i = blockIdx.x * 256 * f + c * 256 + threadIdx.x;
    if (i < n) C[i] = A[i] + B[i];
  }
}
__global__ void vector(const float4* A, const float4* B, float4* C, int n, int f) {
  for (int c = 0; c < f; ++c) {
    const int i = blockIdx.x * 256 * f + c * 256 + threadIdx.x;
    if (i < n) {
      const float4 a = A[i], b = B[i];
      C[i] = make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
    }
  }
}

void when_not_to(const float* A, const float* B, float* C, int length, int coarse_factor) {
  const int blocks = (length + 256 * coarse_factor - 1) / (256 * coarse_factor);
  if (length % 4 == 0 && coarse_factor % 4 == 0)
    vector<<<blocks, 256>>>((const float4*)A, (const float4*)B, (float4*)C, length / 4, coarse_factor / 4);
  else
    scalar<<<blocks, 256>>>(A, B, C, length, coarse_factor);
}
