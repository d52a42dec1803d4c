// SPDX-License-Identifier: Apache-2.0
// clean
// Read, meet, write, meet.
#include "tests/kernels/expect.h"

__global__ void k(const int* in, int* out) {
  __shared__ int row[33];
  const int lane = threadIdx.x;
  row[lane] = in[lane];
  if (lane == 0) row[32] = 0;
  __syncwarp();
  const int next = row[lane + 1];
  __syncwarp();
  row[lane] = next;
  __syncwarp();
  out[lane] = row[31 - lane];
}

int main() {
  k<<<1, 32>>>(OnDevice(Integers(32)), OnDevice<int>(32));
  cudaDeviceSynchronize();
  return 0;
}
