// SPDX-License-Identifier: Apache-2.0
// Named barriers with a thread count, to which warps come in parts: a warp counts once, when all its lanes
// that have not exited are there.
#include "tests/kernels/expect.h"

#define SYNC(tag, id, count) asm volatile("barrier.sync " #id ", %0; // " tag ::"r"(count) : "memory")
#define ARRIVE(tag, id, count) asm volatile("barrier.arrive " #id ", %0; // " tag ::"r"(count) : "memory")

/// Two warps exchange what they stored; each comes in two halves, at an instruction of their own.
__global__ void halves(int* out, int count) {
  __shared__ int stored[64];
  const int t = threadIdx.x;
  if (t % 32 < 16) {
    stored[t] = t;
    SYNC("low", 1, count);
  } else {
    stored[t] = t;
    SYNC("high", 1, count);
  }
  out[t] = stored[63 - t];
}

/// Eight parts of four lanes come to one instruction; three warps of four take part.
__global__ void eighths(int* out, int count) {
  __shared__ int stored[128];
  const int t = threadIdx.x;
  stored[t] = 0;
  __syncthreads();
  if (t >= 96) return;
  for (int part = 0; part < 8; ++part) {
    if (t % 32 / 4 != part) continue;
    stored[t] = t + 1;
    SYNC("eighths", 2, count);
  }
  out[t] = stored[(t + 32) % 96];
}

/// The producer's halves arrive one after the other; the second stores after the first has arrived.
__global__ void producer_in_halves(int* out, int count) {
  __shared__ int stored[32];
  const int t = threadIdx.x;
  if (t >= 32) {
    SYNC("consumer", 3, count);
    out[t - 32] = stored[t - 32];
  } else if (t < 16) {
    stored[t] = t + 1;
    ARRIVE("low", 3, count);
  } else {
    stored[t] = t + 1;
    ARRIVE("high", 3, count);
  }
}

/// Half of warp 0 returns before the barrier, a quarter of warp 1 while the rest waits there.
__global__ void without_those_who_return(int* out, int count) {
  const int t = threadIdx.x;
  if (t < 16) return;
  if (t >= 56) {
    for (int i = 0; i < 10000; ++i) out[t] = i;
    return;
  }
  SYNC("those who stay", 4, count);
  out[t] = 1;
}

/// The last warp of a block of 48 threads has 16 lanes, and counts 32.
__global__ void last_partial_warp(int* out, int count) {
  __shared__ int stored[48];
  const int t = threadIdx.x;
  stored[t] = t;
  SYNC("48 threads", 5, count);
  out[t] = stored[47 - t];
}

int main() {
  int* out = OnDevice(std::vector<int>(128));
  halves<<<1, 64>>>(out, 64);
  FINISH();
  auto got = FromDevice(out, 64);
  for (int t = 0; t < 64; ++t) ExpectEqual("halves", t, got[t], 63 - t);
  eighths<<<1, 128>>>(out, 96);
  FINISH();
  got = FromDevice(out, 96);
  for (int t = 0; t < 96; ++t) ExpectEqual("eighths", t, got[t], (t + 32) % 96 + 1);
  producer_in_halves<<<1, 64>>>(out, 64);
  FINISH();
  got = FromDevice(out, 32);
  for (int t = 0; t < 32; ++t) ExpectEqual("producer", t, got[t], t + 1);
  without_those_who_return<<<1, 64>>>(out, 64);
  FINISH();
  got = FromDevice(out, 56);
  for (int t = 16; t < 56; ++t) ExpectEqual("without", t, got[t], 1);
  last_partial_warp<<<1, 48>>>(out, 64);
  FINISH();
  got = FromDevice(out, 48);
  for (int t = 0; t < 48; ++t) ExpectEqual("last", t, got[t], 47 - t);
  return Result();
}
