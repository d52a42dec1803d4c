// SPDX-License-Identifier: Apache-2.0
// finding: race, line 14, other 11, access atomic, object "shared variable `total`"
// The first thread sets the sum to 0, and adds its warp's part; the other warps may have added theirs before.
#include "tests/kernels/expect.h"

__global__ void sum_up(const int* in, int* out) {
  __shared__ int total;
  const int lane = threadIdx.x % 32;
  int sum = in[threadIdx.x];

  if (threadIdx.x == 0) total = 0;
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(0xffffffff, sum, offset);
  // The first warp's shuffles order its lanes, and nobody else.
  if (lane == 0) atomicAdd(&total, sum);
  __syncthreads();
  if (threadIdx.x == 0) out[0] = total;
}

int main() {
  sum_up<<<1, 128>>>(OnDevice(Integers(128)), OnDevice<int>(1));
  cudaDeviceSynchronize();
  return 0;
}
