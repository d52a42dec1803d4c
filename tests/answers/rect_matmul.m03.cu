// SPDX-License-Identifier: Apache-2.0
// mistake: the loop unrolled by four stops at i + 4 < k, one round too early where k is a multiple of 4; the loop for
//   the rest begins at k / 4 * 4 all the same, so that the last four products are missing there.
// want: Go through both loops with k = 4: which i do they take? The unrolled loop may run while i + 4 <= k (or the rest
//   begins where it stopped).
#include "rect_matmul.h"

// one thread = one element, 4 products at a time with separate sums (shorter dependency chain)
__global__ void rect_matmul_unrolled(const float* M, const float* N, float* P, int j, int k, int l) {
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  int r = blockIdx.y * blockDim.y + threadIdx.y;

  if (r < j && c < l) {
    float s0 = 0.f, s1 = 0.f, s2 = 0.f, s3 = 0.f;

    for (int i = 0; i + 4 < k; i += 4) {
      s0 += M[r * k + i] * N[i * l + c];
      s1 += M[r * k + i + 1] * N[(i + 1) * l + c];
      s2 += M[r * k + i + 2] * N[(i + 2) * l + c];
      s3 += M[r * k + i + 3] * N[(i + 3) * l + c];
    }

    // what is left over, at most 3
    for (int i = k / 4 * 4; i < k; i++) {
      s0 += M[r * k + i] * N[i * l + c];
    }

    P[r * l + c] = (s0 + s1) + (s2 + s3);
  }
}

void rect_matmul(const float* M, const float* N, float* P, int j, int k, int l) {
  if (j == 0 || l == 0) return;
  dim3 block(32, 8);
  dim3 grid((l + block.x - 1) / block.x, (j + block.y - 1) / block.y);
  rect_matmul_unrolled<<<grid, block>>>(M, N, P, j, k, l);
}
