// SPDX-License-Identifier: Apache-2.0
// mistake: where k is 0, cudaMemset gets the number of P's elements, not of its bytes, and only the first quarter of P
//   becomes 0. j = 4, k = 0, l = 4: 16 bytes, the first four elements, are 0, the other twelve keep what was there. (With
//   k > 0 all is right, and a memset is allowed where k is 0.)
// want: With k = 0, j = 4 and l = 4: what stands in P[3], and what in P[4]? What does the third argument of cudaMemset count?
#include "rect_matmul.h"

// One thread for each element, numbered through along the rows of P.
__global__ void dot_products(const float* M, const float* N, float* P, int rows, int inner, int cols) {
  const long long id = (long long)blockIdx.x * blockDim.x + threadIdx.x;
  if (id >= (long long)rows * cols) return;

  const int r = (int)(id / cols);
  const int c = (int)(id % cols);

  const float* m = M + (size_t)r * inner;
  const float* n = N + c;
  float s = 0.0f;
  for (int i = 0; i < inner; ++i, n += cols) s += *m++ * *n;
  P[id] = s;
}

void rect_matmul(const float* M, const float* N, float* P, int j, int k, int l) {
  const size_t elements = (size_t)j * l;
  if (elements == 0) return;

  // No products: all sums are 0, and M and N are empty.
  if (k == 0) {
    cudaMemset(P, 0, elements);
    return;
  }

  const int threads = 256;
  const unsigned blocks = (unsigned)((elements + threads - 1) / threads);
  dot_products<<<blocks, threads>>>(M, N, P, j, k, l);
}
