// SPDX-License-Identifier: Apache-2.0
// mistake: a grid-stride loop over the elements of P with a grid that never grows: 8 blocks of 128 threads. The values
//   are right, but where P has more than 65536 elements, a thread stores more than the 64 that the contract allows.
// want: How many threads does your launch start for a P of 1000 x 1000, and how many elements are left for each? On
//   what should the number of blocks depend?
#include "rect_matmul.h"

__global__ void rect_matmul_kernel(const float* M, const float* N, float* P, int j, int k, int l) {
  const int threads = gridDim.x * blockDim.x;
  // works for any j and l, and for 0 as well
  for (int e = blockIdx.x * blockDim.x + threadIdx.x; e < j * l; e += threads) {
    const int row = e / l;
    const int col = e - row * l;
    float dot = 0.0f;
    for (int i = 0; i < k; i++) {
      dot = fmaf(M[row * k + i], N[i * l + col], dot);
    }
    P[e] = dot;
  }
}

void rect_matmul(const float* M, const float* N, float* P, int j, int k, int l) {
  const int multiprocessors = 8;
  const int threads = 128;
  rect_matmul_kernel<<<multiprocessors, threads>>>(M, N, P, j, k, l);
}
