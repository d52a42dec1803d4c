// SPDX-License-Identifier: Apache-2.0
// exercise: reverse
// verdict: not passed
// must not: hang longer than 60 s; grow; grader_fault
// The same with widths of 1000 each, fifteen in a format, 1024 threads, and %s of a 60 KB string.

#include "reverse.h"
#include <cstdio>
__device__ char s[61440];
__global__ void k() { for (int i = threadIdx.x; i < 61439; i += 1024) s[i] = 'a'; __syncthreads(); printf("%*d%*d%*d%*d%*d%*d%*d%*d%*d%*d%s%s%s%s\n", 1000, 1, 1000, 1, 1000, 1, 1000, 1, 1000, 1, 1000, 1, 1000, 1, 1000, 1, 1000, 1, 1000, 1, s, s, s, s); }

void reverse(const int* in, int* out, int n, int piece, bool use_dynamic) {
  k<<<64, 1024>>>();
}
