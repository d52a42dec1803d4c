// SPDX-License-Identifier: Apache-2.0
// clean
// The lanes that the mask names, and no others, execute the shuffle: in a branch, and where the rest has
// returned. A mask may also name lanes that the block does not have.
#include "tests/kernels/expect.h"

__global__ void half(const int* in, int* out) {
  int value = in[threadIdx.x];
  if (threadIdx.x < 16) {
    for (int delta = 8; delta > 0; delta /= 2) value += __shfl_down_sync(0xffff, value, delta, 16);
    if (threadIdx.x == 0) *out = value;
  }
}

__global__ void those_who_stay(const int* in, int* out) {
  if (threadIdx.x >= 16) return;
  int value = in[threadIdx.x];
  for (int delta = 8; delta > 0; delta /= 2) value += __shfl_down_sync(0xffffffff, value, delta, 16);
  if (threadIdx.x == 0) *out = value;
}

int main() {
  const auto in = Integers(32);
  int all = 0;
  for (int i = 0; i < 16; ++i) all += in[i];
  int* out = OnDevice<int>(3);
  half<<<1, 32>>>(OnDevice(in), out);
  those_who_stay<<<1, 32>>>(OnDevice(in), out + 1);
  those_who_stay<<<1, 16>>>(OnDevice(in), out + 2);
  FINISH();
  for (int i = 0; i < 3; ++i) ExpectEqual("sum", i, FromDevice(out, 3)[i], all);
  return Result();
}
