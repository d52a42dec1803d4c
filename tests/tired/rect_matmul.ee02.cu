// SPDX-License-Identifier: Apache-2.0
// mistake: where k is 0, cudaMemset clears j * l bytes; P has j * l * sizeof(float). With j = 4, k = 0, l = 4
//   only the first row (16 of 64 bytes) becomes 0, the other twelve elements keep what they held.
// want: how many bytes has P, and in what does cudaMemset count?
#include "rect_matmul.h"

// The elements of P are numbered down the columns: 0 .. j-1 is column 0, and so on.
__global__ void rect_kernel(const float* M, const float* N, float* P, int j, int k, int l) {
  const int e = blockIdx.x * blockDim.x + threadIdx.x;
  const int col = e / j;
  const int row = e % j;
  if (col < l) {
    float s = 0.f;
    for (int i = 0; i < k; i++) s = fmaf(M[row * k + i], N[i * l + col], s);
    P[row * l + col] = s;
  }
}

void rect_matmul(const float* M, const float* N, float* P, int j, int k, int l) {
  const int elements = j * l;
  if (elements == 0) return;
  if (k == 0) {
    // no products, no kernel
    cudaMemset(P, 0, elements);
    return;
  }
  rect_kernel<<<(elements + 127) / 128, 128>>>(M, N, P, j, k, l);
}
