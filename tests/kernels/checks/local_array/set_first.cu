// SPDX-License-Identifier: Apache-2.0
// clean
// All elements are set to zero first.
#include "tests/kernels/expect.h"

__global__ void k(const int* in, int* out) {
  int sums[8] = {};
  for (int i = 0; i < 4; ++i) sums[in[i]] += i;
  out[threadIdx.x] = sums[in[0]];
}

int main() {
  k<<<1, 32>>>(OnDevice(std::vector<int>{1, 1, 1, 5}), OnDevice<int>(32));
  FINISH();
  return 0;
}
