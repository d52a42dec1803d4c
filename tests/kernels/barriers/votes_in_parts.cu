// SPDX-License-Identifier: Apache-2.0
// Barriers that count predicates (barrier.red), with warps that come in parts: each thread's predicate counts
// once, and those of lanes that have exited do not.
#include "tests/kernels/expect.h"

#define POPC(tag, id, count, bit, result)                                                                 \
  asm volatile("{ .reg .pred p; setp.ne.u32 p, %2, 0; barrier.red.popc.u32 %0, " #id ", %1, p; } // " tag \
               : "=r"(result)                                                                             \
               : "r"(count), "r"(bit)                                                                     \
               : "memory")
#define ALL(tag, id, count, bit, result)                                        \
  asm volatile(                                                                 \
      "{ .reg .pred p, q; setp.ne.u32 p, %2, 0; "                               \
      "barrier.red.and.pred q, " #id ", %1, p; selp.u32 %0, 1, 0, q; } // " tag \
      : "=r"(result)                                                            \
      : "r"(count), "r"(bit)                                                    \
      : "memory")

__global__ void odd_threads(int* out, int count) {
  const int t = threadIdx.x;
  int odd = 0;
  if (t < 16) {
    POPC("low", 1, count, t % 2, odd);
  } else {
    POPC("others", 1, count, t % 2, odd);
  }
  out[t] = odd;
}

/// Lanes 20 to 31 of warp 0 return: neither the sum nor the conjunction waits for them.
__global__ void those_who_stay(int* out, int count) {
  const int t = threadIdx.x;
  int number = 0, all = 0;
  if (t >= 20 && t < 32) return;
  POPC("number", 1, count, 1, number);
  ALL("all", 2, count, int(t < 20 || t >= 32), all);
  out[t] = number + 1000 * all;
}

__global__ void last_partial_warp(int* out, int count) {
  int number = 0, all = 0;
  POPC("number", 1, count, 1, number);
  ALL("all", 2, count, int(threadIdx.x != 47), all);
  out[threadIdx.x] = number + 1000 * all;
}

/// Half of warp 2 comes to the barrier of two warps before warps 0 and 1 complete it. It belongs to the next
/// phase, with warp 3.
__global__ void half_of_the_next_pair(int* out, volatile int* turn, int count) {
  const int t = threadIdx.x;
  int number = 0;
  if (t / 32 == 2) {
    if (t % 32 < 16) {
      turn[0] = 1;
      POPC("early half", 1, count, 1, number);
    } else {
      while (turn[1] == 0) {
      }
      POPC("late half", 1, count, 1, number);
    }
  } else if (t / 32 == 3) {
    while (turn[1] == 0) {
    }
    POPC("last", 1, count, 0, number);
  } else {
    while (turn[0] == 0) {
    }
    POPC("first pair", 1, count, 1, number);
    if (t == 0) turn[1] = 1;
  }
  out[t] = number;
}

int main() {
  int* out = OnDevice(std::vector<int>(128));
  int* turn = OnDevice(std::vector<int>(2));
  odd_threads<<<1, 64>>>(out, 64);
  FINISH();
  auto got = FromDevice(out, 64);
  for (int t = 0; t < 64; ++t) ExpectEqual("odd", t, got[t], 32);
  those_who_stay<<<1, 64>>>(out, 64);
  FINISH();
  got = FromDevice(out, 64);
  for (int t = 0; t < 64; ++t) {
    if (t < 20 || t >= 32) ExpectEqual("stay", t, got[t], 1052);
  }
  last_partial_warp<<<1, 48>>>(out, 64);
  FINISH();
  got = FromDevice(out, 48);
  for (int t = 0; t < 48; ++t) ExpectEqual("last", t, got[t], 48);
  half_of_the_next_pair<<<1, 128>>>(out, turn, 64);
  FINISH();
  got = FromDevice(out, 128);
  for (int t = 0; t < 128; ++t) {
    // An H200 gives the late half no result (tests/golden/hardware/barriers.h200.txt).
    if (t < 80 || t >= 96) ExpectEqual("pairs", t, got[t], t < 64 ? 64 : 32);
  }
  return Result();
}
