// SPDX-License-Identifier: Apache-2.0
// mistake: the shuffles have width 16, so that each half of the warp adds up for itself, and lane 0, which stores,
//   never gets the sum of lanes 16 to 31; and the step with d = 16 doubles, for a lane whose source lies outside its
//   half gets its own value back. P is twice the sum of lanes 0 to 15: with j = k = l = 1 and M = N = (1) it is 2, not
//   1. (With k = 32 and nothing but ones it happens to be right.) One warp for each element, the whole warp's early
//   return and the lanes' stride of 32 are right.
// want: Leave out everything but the reduction: put 1 in lane 0 and 0 in the others, and follow lane 0's s through all
//   five steps. What does the last argument of __shfl_down_sync mean?
#include "rect_matmul.h"

#define WARPS 8

// One warp computes one element of P: its 32 lanes share the k products, then add up by shuffles.
__global__ void warp_per_element(const float* M, const float* N, float* P, int j, int k, int l) {
  const int lane = threadIdx.x & 31;
  const int element = blockIdx.x * WARPS + (threadIdx.x >> 5);
  if (element >= j * l) return;  // the whole warp

  const int row = element / l;
  const int col = element - row * l;

  float s = 0.0f;
  for (int i = lane; i < k; i += 32) {
    s += M[row * k + i] * N[i * l + col];
  }

  for (int d = 16; d > 0; d >>= 1) {
    s += __shfl_down_sync(0xffffffffu, s, d, 16);
  }
  if (lane == 0) P[element] = s;
}

void rect_matmul(const float* M, const float* N, float* P, int j, int k, int l) {
  const int elements = j * l;
  if (elements == 0) return;
  warp_per_element<<<(elements + WARPS - 1) / WARPS, 32 * WARPS>>>(M, N, P, j, k, l);
}
