// SPDX-License-Identifier: Apache-2.0
// finding: race, object "shared array `tile`"
// A rotation in place: read, then write, with no barrier between them.
#include "tests/kernels/expect.h"

__global__ void rotate(int* data) {
  __shared__ int tile[64];
  const int t = threadIdx.x;
  tile[t] = data[t];
  __syncthreads();
  const int next = tile[(t + 1) % 64];
  tile[t] = next;
  __syncthreads();
  data[t] = tile[t];
}

int main() {
  rotate<<<1, 64>>>(OnDevice(Integers(64)));
  cudaDeviceSynchronize();
  return 0;
}
