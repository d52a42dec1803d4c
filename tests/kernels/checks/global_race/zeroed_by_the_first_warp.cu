// SPDX-License-Identifier: Apache-2.0
// finding: race, line 13, other 8, access atomic, object "argument 2"
// The first thread sets the sum to 0, and adds its warp's part; the other warps may have added theirs before.
#include "tests/kernels/expect.h"

__global__ void k(const int* in, int* out) {
  const int lane = threadIdx.x % 32;
  if (threadIdx.x == 0) out[blockIdx.x] = 0;
  int sum = in[threadIdx.x];
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(0xffffffff, sum, offset);
  // The first warp's shuffles order its lanes, and nobody else.
  if (lane == 0) {
    atomicAdd(&out[blockIdx.x], sum);
  }
}

int main() {
  k<<<1, 128>>>(OnDevice(Integers(128)), OnDevice(std::vector<int>(1)));
  cudaDeviceSynchronize();
  return 0;
}
