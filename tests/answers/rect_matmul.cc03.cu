// SPDX-License-Identifier: Apache-2.0
// mistake: where M's element is 0 the product is left out: N's element is not loaded and nothing is computed, though each
//   element has to be loaded and each product computed. With a column i of zeros in M, row i of N is never
//   loaded; and if N holds an infinity there, P must be NaN and is not. Shows with M = 0 of any size.
// want: let M be all zeros: which elements of N does your kernel load, and how many products does it compute?
#include "rect_matmul.h"

#define BX 32
#define BY 8

__global__ void rect_matmul_kernel(const float* M, const float* N, float* P, int j, int k, int l) {
  const int col = blockIdx.y * BX + threadIdx.x;
  const int row = blockIdx.x * BY + threadIdx.y;

  if (row < j && col < l) {
    float sum = 0.0f;
    for (int i = 0; i < k; ++i) {
      const float a = M[(size_t)row * k + i];
      if (a == 0.0f) continue;  // adds nothing, spare the trip to memory
      sum = fmaf(a, N[(size_t)i * l + col], sum);
    }
    P[(size_t)row * l + col] = sum;
  }
}

void rect_matmul(const float* M, const float* N, float* P, int j, int k, int l) {
  if (!j || !l) return;
  const dim3 block(BX, BY);
  // rows along x, there may be more of them than y allows
  const dim3 grid((j + BY - 1) / BY, (l + BX - 1) / BX);
  rect_matmul_kernel<<<grid, block>>>(M, N, P, j, k, l);
}
