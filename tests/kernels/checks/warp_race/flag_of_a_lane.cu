// SPDX-License-Identifier: Apache-2.0
// clean
// Lanes wait for a volatile flag that another lane of their warp sets.
#include "tests/kernels/expect.h"

__global__ void k(const int* in, int* out) {
  __shared__ volatile int flag;
  if (threadIdx.x == 0) flag = 0;
  __syncwarp();
  if (threadIdx.x == 0) {
    flag = in[0] | 1;
  } else {
    while (flag == 0) {
    }
  }
  out[threadIdx.x] = 1;
}

int main() {
  k<<<1, 32>>>(OnDevice(Integers(32)), OnDevice<int>(32));
  cudaDeviceSynchronize();
  return 0;
}
