// SPDX-License-Identifier: Apache-2.0
// finding: out_of_bounds, line 8, access write
// One element past the end of a thread's own array.
#include "tests/kernels/expect.h"

__global__ void k(const int* in, int* out) {
  int counts[8];
  for (int i = 0; i <= 8; ++i) counts[in[i] & 15] = i;
  out[threadIdx.x] = counts[in[threadIdx.x] & 7];
}

int main() {
  std::vector<int> in(32);
  for (int i = 0; i < 32; ++i) in[i] = i < 9 ? i : 0;
  k<<<1, 32>>>(OnDevice(in), OnDevice<int>(32));
  cudaDeviceSynchronize();
  return 0;
}
