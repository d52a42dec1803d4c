// SPDX-License-Identifier: Apache-2.0
// clean
// Doubles put behind eight bytes.
#include "tests/kernels/expect.h"

__global__ void pack(const double* in, double* out) {
  __shared__ alignas(16) char bytes[300];
  const int t = threadIdx.x;
  double* values = reinterpret_cast<double*>(bytes + 8);
  values[t] = in[t];
  __syncthreads();
  out[t] = values[31 - t];
}

int main() {
  std::vector<double> in(32, 1.0);
  pack<<<1, 32>>>(OnDevice(in), OnDevice<double>(32));
  FINISH();
  return 0;
}
