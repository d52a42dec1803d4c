// SPDX-License-Identifier: Apache-2.0
// finding: out_of_bounds, line 8, access read
// The host's vector is handed to the kernel.
#include "tests/kernels/expect.h"

__global__ void copy(const int* in, int* out) {
  const int t = threadIdx.x;
  out[t] = in[t];
}

int main() {
  const std::vector<int> in = Integers(32);
  int* out = OnDevice<int>(32);
  copy<<<1, 32>>>(in.data(), out);
  cudaDeviceSynchronize();
  return 0;
}
