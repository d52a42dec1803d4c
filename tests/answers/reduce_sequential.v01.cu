// SPDX-License-Identifier: Apache-2.0
// mistake: threads beyond n return at the start. In the last segment the shuffles then name lanes in their mask that are
//   gone, and warps that are gone store no sum, so that old contents of shared memory are added. n = 300: the second
//   segment has 44 elements; warp 1 has 12 lanes, warps 2 to 7 none, and sums_of_warps[2] to [7] are never set.
//   Right for multiples of 256.
// want: n is 300. Which threads of the second block reach the line that stores a warp's sum, and what is in the other
//   places of that array?
#include "reduce_sequential.h"

#define FULL 0xffffffffu

__device__ __forceinline__ float warp_sum(float v, int lanes) {
  for (int offset = lanes / 2; offset > 0; offset >>= 1) {
    v += __shfl_down_sync(FULL, v, offset);
  }
  return v;
}

__global__ void reduce_kernel(const float* X, float* sums, int n) {
  __shared__ float sums_of_warps[SEGMENT / 32];

  const int tx = threadIdx.x;
  const int warp = tx / 32;
  const int lane = tx % 32;
  const int i = blockIdx.x * SEGMENT + tx;
  if (i >= n) return;  // nothing to add

  const float s = warp_sum(X[i], 32);
  if (lane == 0) sums_of_warps[warp] = s;
  __syncthreads();

  if (warp == 0) {
    const float v = lane < SEGMENT / 32 ? sums_of_warps[lane] : 0.0f;
    const float total = warp_sum(v, SEGMENT / 32);
    if (lane == 0) sums[blockIdx.x] = total;
  }
}

void reduce_sequential(const float* X, float* sums, int n) {
  reduce_kernel<<<(n + SEGMENT - 1) / SEGMENT, SEGMENT>>>(X, sums, n);
}
