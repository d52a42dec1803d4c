// SPDX-License-Identifier: Apache-2.0
// mistake: The products are added in a do-while loop that counts down from k: with k = 0 the body runs once
//   before the first test, left becomes -1, which is not 0, and the loop goes on and on, reading past M and N.
//   j = 2, k = 0, l = 3: P must become six zeros. All k >= 1 are right.
// want: How often does the body of your loop run when there is nothing to add up? Follow `left` for k = 0.
#include "rect_matmul.h"

// One thread per element of P, counted through row by row.
__global__ void rect_matmul_kernel(const float* M, const float* N, float* P, int j, int k, int l) {
  const int e = blockIdx.x * blockDim.x + threadIdx.x;
  if (e >= j * l) return;

  const float* m = M + e / l * k;  // walks along M's row
  const float* n = N + e % l;      // walks down N's column
  float sum = 0.0f;
  int left = k;
  do {
    sum += *m++ * *n;
    n += l;
  } while (--left);
  P[e] = sum;
}

void rect_matmul(const float* M, const float* N, float* P, int j, int k, int l) {
  const int elements = j * l;
  if (elements == 0) return;  // an empty P
  rect_matmul_kernel<<<(elements + 255) / 256, 256>>>(M, N, P, j, k, l);
}
