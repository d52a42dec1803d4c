// SPDX-License-Identifier: Apache-2.0
// finding: misaligned, line 12, access write, object "shared array `bytes`"
// Doubles put behind four bytes of a shared array of char.
#include "tests/kernels/expect.h"

__global__ void pack(const double* in, double* out) {
  __shared__ alignas(16) char bytes[300];
  const int t = threadIdx.x;
  for (int i = t; i < 300; i += 32) bytes[i] = 0;
  __syncthreads();
  double* values = reinterpret_cast<double*>(bytes + 4);
  values[t] = in[t];
  __syncthreads();
  out[t] = bytes[4 + t];
}

int main() {
  std::vector<double> in(32, 1.0);
  pack<<<1, 32>>>(OnDevice(in), OnDevice<double>(32));
  cudaDeviceSynchronize();
  return 0;
}
