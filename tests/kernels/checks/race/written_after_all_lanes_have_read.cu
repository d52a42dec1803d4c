// SPDX-License-Identifier: Apache-2.0
// clean
// The lanes of a warp have all read the element before lane 0 writes it: __syncwarp() stands between.
#include "tests/kernels/expect.h"

__global__ void shift(const int* in, int* out) {
  __shared__ int tile[32];
  const int t = threadIdx.x;
  tile[t] = in[t];
  __syncthreads();
  out[t] = tile[in[0] & 7];
  __syncwarp();
  if (t == 0) tile[in[0] & 7] = 1;
  __syncthreads();
  out[t] += tile[t];
}

int main() {
  shift<<<1, 32>>>(OnDevice(Integers(32)), OnDevice<int>(32));
  cudaDeviceSynchronize();
  return 0;
}
