// SPDX-License-Identifier: Apache-2.0
// clean
// The same with __syncwarp() between the two; a lane that reads what it has stored itself; and a flag that
// lanes wait for, with the value behind it.
#include "tests/kernels/expect.h"

__global__ void two_ifs(const int* in, int* out) {
  __shared__ volatile int part[16];
  const int t = threadIdx.x;
  if (t < 16) part[t] = in[t];
  __syncwarp();
  if (t >= 16) out[t] = part[t - 16];
  if (t < 16) out[t] = part[t];
}

__global__ void reduction(const int* in, int* out) {
  __shared__ volatile int part[32];
  const int t = threadIdx.x;
  part[t] = in[t];
#pragma unroll 1
  for (int stride = 16; stride > 0; stride /= 2) {
    __syncwarp();
    if (t < stride) part[t] += part[t + stride];
  }
  if (t == 0) *out = part[0];
}

__global__ void flag_and_value(const int* in, int* out) {
  __shared__ volatile int flag, value;
  const int t = threadIdx.x;
  if (t == 0) flag = 0;
  __syncwarp();
  if (t == 0) {
    value = in[0];
    flag = 1;
  } else {
    while (flag == 0) {
    }
    out[t] = value;
  }
}

/// Lanes look once in each round whether one has found something.
__global__ void found(const int* in, int* out, int n) {
  __shared__ volatile int is_found;
  const int t = threadIdx.x;
  if (t == 0) is_found = 0;
  __syncwarp();
  for (int i = t; i < n && is_found == 0; i += 32) {
    if (in[i] == 77) is_found = 1;
  }
  __syncwarp();
  out[t] = is_found;
}

int main() {
  auto in = Integers(64);
  in[40] = 77;
  int* out = OnDevice<int>(32);
  two_ifs<<<1, 32>>>(OnDevice(in), out);
  FINISH();
  for (int t = 0; t < 32; ++t) ExpectEqual("two_ifs", t, FromDevice(out, 32)[t], in[t % 16]);
  reduction<<<1, 32>>>(OnDevice(in), out);
  FINISH();
  int sum = 0;
  for (int i = 0; i < 32; ++i) sum += in[i];
  ExpectEqual("sum", 0, FromDevice(out, 1)[0], sum);
  flag_and_value<<<1, 32>>>(OnDevice(in), out);
  FINISH();
  ExpectEqual("value", 0, FromDevice(out, 32)[31], in[0]);
  found<<<1, 32>>>(OnDevice(in), out, 64);
  FINISH();
  ExpectEqual("found", 0, FromDevice(out, 32)[5], 1);
  return Result();
}
