// SPDX-License-Identifier: Apache-2.0
// finding: misaligned, line 10, access write, object "shared array bytes"
// Doubles put behind four bytes of a shared array of char.
#include "tests/kernels/expect.h"

__global__ void pack(const double* in, double* out) {
  __shared__ alignas(16) char bytes[300];
  const int t = threadIdx.x;
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
