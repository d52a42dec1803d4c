// SPDX-License-Identifier: Apache-2.0
// exercise: coarsened_reduction
// verdict: not passed
// must not: raw control, bidirectional or invisible characters in terminal output or JSON; grader_fault
// Calls __assertfail itself with pointers into nowhere, strings without an end, and escape codes.

#include "coarsened_reduction.h"

extern "C" __device__ void __assertfail(const char*, const char*, unsigned, const char*, size_t);
__device__ char text[64] = "\033[2J PASSED";
__device__ char endless[4096];
__global__ void k(float* p) {
  for (int i = 0; i < 4096; ++i) endless[i] = i % 2 ? 27 : '[';
  if (threadIdx.x == 0) __assertfail(text, endless, 4294967295u, text, 1);
  __assertfail((const char*)p + (1 << 30), (const char*)1, 0, (const char*)-1, 1);
}

void coarsened_reduction(const float* input, float* output, int length) {
  k<<<1, 2>>>(output);
}
