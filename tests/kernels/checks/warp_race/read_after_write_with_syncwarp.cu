// SPDX-License-Identifier: Apache-2.0
// clean
// The same with __syncwarp() between.
#include "tests/kernels/expect.h"

__global__ void k(const int* in, int* out) {
  __shared__ int row[32];
  const int lane = threadIdx.x;
  row[lane] = in[lane];
  __syncwarp();
  out[lane] = row[31 - lane];
}

int main() {
  k<<<1, 32>>>(OnDevice(Integers(32)), OnDevice<int>(32));
  cudaDeviceSynchronize();
  return 0;
}
