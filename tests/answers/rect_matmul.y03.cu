// SPDX-License-Identifier: Apache-2.0
// mistake: Two mistakes: The loop takes two products at a time and has no rest, so that the last product of an odd k is
//   missing: j 1, k 1, l 1 gives 0. And the grid has 8 blocks of 64 threads whatever the size of P, so that a thread
//   stores more than 64 elements where P has more than 32768: j 200, l 200 makes 79.
// want: Which values does i take when k is 3, and which products are added? (Then: how many elements has a thread for 200 x 200?)
#include "rect_matmul.h"

__device__ float dot(const float* m, const float* n, int k, int l) {
  // two sums side by side, so that one addition need not wait for the other
  float even = 0.0f;
  float odd = 0.0f;
  for (int i = 0; i + 1 < k; i += 2) {
    even += m[i] * n[i * l];
    odd += m[i + 1] * n[(i + 1) * l];
  }
  return even + odd;
}

__global__ void grid_stride(const float* M, const float* N, float* P, int j, int k, int l) {
  const int count = j * l;
  const int step = gridDim.x * blockDim.x;
  for (int at = blockIdx.x * blockDim.x + threadIdx.x; at < count; at += step) {
    P[at] = dot(M + at / l * k, N + at % l, k, l);
  }
}

void rect_matmul(const float* M, const float* N, float* P, int j, int k, int l) {
  // the loop in the kernel takes care of any size, also of 0
  grid_stride<<<8, 64>>>(M, N, P, j, k, l);
}
