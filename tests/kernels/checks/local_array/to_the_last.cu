// SPDX-License-Identifier: Apache-2.0
// clean
// The first and the last element of two arrays.
#include "tests/kernels/expect.h"

__global__ void k(const int* in, int* out) {
  int low[4] = {1, 2, 3, 4}, high[6] = {5, 6, 7, 8, 9, 10};
  const int i = in[0];
  low[i] = 0;
  low[i - 3] = 0;
  high[i + 2] = 9;
  high[i - 3] = 9;
  out[threadIdx.x] = low[i - 1] + high[i + 1];
}

int main() {
  k<<<1, 32>>>(OnDevice(std::vector<int>(1, 3)), OnDevice<int>(32));
  FINISH();
  return 0;
}
