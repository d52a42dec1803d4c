// SPDX-License-Identifier: Apache-2.0
// clean
// All lanes name each other, the last warp of a block with the lanes that it has.
#include "tests/kernels/expect.h"

__global__ void k(const int* in, int* out) {
  __shared__ int tile[48];
  const int t = threadIdx.x;
  tile[t] = in[t];
  __syncwarp(t < 32 ? 0xffffffff : 0xffff);
  out[t] = tile[t ^ 15];
}

int main() {
  const auto in = Integers(48);
  int* out = OnDevice<int>(48);
  k<<<1, 48>>>(OnDevice(in), out);
  FINISH();
  for (int t = 0; t < 48; ++t) ExpectEqual("out", t, FromDevice(out, 48)[t], in[t ^ 15]);
  return Result();
}
