// SPDX-License-Identifier: Apache-2.0
// clean
// Page-locked memory may be read by a kernel.
#include "tests/kernels/expect.h"

__global__ void copy(const int* in, int* out) {
  const int t = threadIdx.x;
  out[t] = in[t];
}

int main() {
  int *in = nullptr, *out = OnDevice<int>(32);
  CUDA(cudaMallocHost(&in, 32 * sizeof(int)));
  for (int i = 0; i < 32; ++i) in[i] = i;
  copy<<<1, 32>>>(in, out);
  FINISH();
  CUDA(cudaFreeHost(in));
  return 0;
}
