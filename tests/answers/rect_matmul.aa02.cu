// SPDX-License-Identifier: Apache-2.0
// mistake: where k is 0, cudaMemset is given j * l as its length, which counts bytes: only the first quarter of
//   P's elements becomes zero. j = 4, k = 0, l = 4: elements 4 to 15 of P stay as they were.
// want: What does cudaMemset's third parameter count? Try j = 4, k = 0, l = 4 with something in P beforehand.
#include "rect_matmul.h"

// Threads are numbered through, one for each element of P.
__global__ void mm_flat(const float* M, const float* N, float* P, int j, int k, int l) {
  const int id = blockIdx.x * blockDim.x + threadIdx.x;
  if (id >= j * l) return;
  const int r = id / l;
  const int c = id - r * l;

  // two sums, even and odd, so that the additions need not wait for each other
  float even = 0, odd = 0;
  int i = 0;
  for (; i + 1 < k; i += 2) {
    even += M[r * k + i] * N[i * l + c];
    odd += M[r * k + i + 1] * N[(i + 1) * l + c];
  }
  if (i < k) even += M[r * k + i] * N[i * l + c];
  P[id] = even + odd;
}

void rect_matmul(const float* M, const float* N, float* P, int j, int k, int l) {
  const int elements = j * l;
  if (elements == 0) return;
  if (k == 0) {
    // nothing to add up, so no kernel is needed
    cudaMemset(P, 0, elements);
    return;
  }
  mm_flat<<<(elements + 191) / 192, 192>>>(M, N, P, j, k, l);
}
