// SPDX-License-Identifier: Apache-2.0
// clean
// With a barrier between the read and the write.
#include "tests/kernels/expect.h"

__global__ void rotate(int* data) {
  __shared__ int tile[64];
  const int t = threadIdx.x;
  tile[t] = data[t];
  __syncthreads();
  const int next = tile[(t + 1) % 64];
  __syncthreads();
  tile[t] = next;
  __syncthreads();
  data[t] = tile[t];
}

int main() {
  rotate<<<1, 64>>>(OnDevice(Integers(64)));
  FINISH();
  return 0;
}
