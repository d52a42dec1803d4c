// SPDX-License-Identifier: Apache-2.0
// mistake: one running number for each element of P; row and column come from it by division by j, the number of P's
//   rows, instead of by l, the length of a row. Right only where j == l.
// want: With j = 2 and l = 3, which row and column of P has the element with number 2? A row of P has l elements: which
//   side do you divide by?
#include "rect_matmul.h"

#define THREADS 256

// grid-stride loop over the elements of P
__global__ void rect_matmul_kernel(const float* M, const float* N, float* P, int j, int k, int l) {
  const int count = j * l;
  const int step = gridDim.x * blockDim.x;

  for (int e = blockIdx.x * blockDim.x + threadIdx.x; e < count; e += step) {
    const int row = e / j;
    const int col = e % j;

    float sum = 0.0f;
    for (int i = 0; i < k; ++i) {
      sum += M[row * k + i] * N[i * l + col];
    }
    P[e] = sum;
  }
}

void rect_matmul(const float* M, const float* N, float* P, int j, int k, int l) {
  if (j == 0 || l == 0) return;  // P is empty (k = 0 is fine, the loop stores 0)

  int blocks = (j * l + THREADS - 1) / THREADS;
  if (blocks > 65535) blocks = 65535;
  rect_matmul_kernel<<<blocks, THREADS>>>(M, N, P, j, k, l);
}
