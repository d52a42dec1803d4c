// SPDX-License-Identifier: Apache-2.0
// finding: out_of_bounds, line 9, access write
// The element past the end of one array would be the first of the next.
#include "tests/kernels/expect.h"

__global__ void k(const int* in, int* out) {
  int low[4] = {1, 2, 3, 4}, high[4] = {5, 6, 7, 8};
  const int i = in[0];
  low[i] = 0;
  high[i - 1] = 9;
  out[threadIdx.x] = low[i - 1] + high[i - 2];
}

int main() {
  k<<<1, 32>>>(OnDevice(std::vector<int>(1, 4)), OnDevice<int>(32));
  cudaDeviceSynchronize();
  return 0;
}
