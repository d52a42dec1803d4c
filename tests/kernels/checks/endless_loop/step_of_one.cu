// SPDX-License-Identifier: Apache-2.0
// clean
// Both warps stay in the loop for as many rounds: the step of one_warp_never_leaves.cu, plus one.
#include "tests/kernels/expect.h"

__global__ void k(int* out, int n) {
  __shared__ int tile[64];
  const int t = threadIdx.x;
  tile[t] = 0;
  for (int i = 0; i < n; i += 1 + 0 * (t / 32)) {
    __syncthreads();
    if (t % 3 == 0) tile[t] += i;
  }
  out[t] = tile[t];
}

int main() {
  int* out = OnDevice<int>(64);
  k<<<1, 64>>>(out, 64);
  FINISH();
  ExpectEqual("out", 63, FromDevice(out, 64)[63], 63 * 32);
  return Result();
}
