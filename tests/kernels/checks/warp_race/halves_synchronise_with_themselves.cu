// SPDX-License-Identifier: Apache-2.0
// clean
// Each half reads what it has stored itself; tiles of eight lanes pass values on from one to the next; and
// what two parts of a warp share is ordered from one to the other by a third.
#include "tests/kernels/expect.h"

__global__ void halves(const int* in, int* out) {
  __shared__ int tile[32];
  const int t = threadIdx.x;
  tile[t] = in[t];
  for (int step = 8; step > 0; step /= 2) {
    __syncwarp(t < 16 ? 0xffff : 0xffff0000);
    const int other = tile[t ^ step];
    __syncwarp(t < 16 ? 0xffff : 0xffff0000);
    tile[t] += other;
  }
  out[t] = tile[t];
}

/// Lanes 0 to 15 meet, then 8 to 23, then 16 to 31: what lane 0 stored is there for lane 31.
__global__ void chain(int* out) {
  __shared__ int value;
  const int t = threadIdx.x;
  if (t == 0) value = 7;
  if (t < 16) __syncwarp(0x0000ffff);
  if (t >= 8 && t < 24) __syncwarp(0x00ffff00);
  if (t >= 16) __syncwarp(0xffff0000);
  if (t == 31) *out = value;
}

/// Several lanes read an element before their half meets, one of them writes it behind that.
__global__ void read_then_written(int* out) {
  __shared__ int values[2];
  const int t = threadIdx.x, half = t / 16;
  if (t < 2) values[t] = t;
  __syncwarp();
  const int value = values[half];
  __syncwarp(half ? 0xffff0000 : 0xffff);
  if (t % 16 == 3) values[half] = value + 1;
  __syncwarp(half ? 0xffff0000 : 0xffff);
  out[t] = values[half];
}

int main() {
  const auto in = Integers(32);
  int* out = OnDevice<int>(33);
  halves<<<1, 32>>>(OnDevice(in), out);
  FINISH();
  int low = 0;
  for (int i = 0; i < 16; ++i) low += in[i];
  ExpectEqual("halves", 0, FromDevice(out, 1)[0], low);
  chain<<<1, 32>>>(out);
  FINISH();
  ExpectEqual("chain", 0, FromDevice(out, 1)[0], 7);
  read_then_written<<<1, 32>>>(out);
  FINISH();
  for (int t = 0; t < 32; ++t) ExpectEqual("written", t, FromDevice(out, 32)[t], t / 16 + 1);
  return Result();
}
