// SPDX-License-Identifier: Apache-2.0
// finding: race, line 13, other 13, object "shared array `row`"
// Each lane takes its neighbour's value and puts it into its own place: the neighbour may have done so
// before.
#include "tests/kernels/expect.h"

__global__ void k(const int* in, int* out) {
  __shared__ int row[33];
  const int lane = threadIdx.x;
  row[lane] = in[lane];
  if (lane == 0) row[32] = 0;
  __syncwarp();
  row[lane] = row[lane + 1];
  __syncwarp();
  out[lane] = row[lane];
}

int main() {
  k<<<1, 32>>>(OnDevice(Integers(32)), OnDevice<int>(32));
  cudaDeviceSynchronize();
  return 0;
}
