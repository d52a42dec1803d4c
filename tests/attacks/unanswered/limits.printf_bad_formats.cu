// SPDX-License-Identifier: Apache-2.0
// exercise: reverse
// verdict: not passed
// must not: grader_fault; hang
// Formats without arguments, %n, %s of bad pointers, a format without an end, nullptr as format.

#include "reverse.h"
#include <cstdio>
__device__ char endless[256];
__global__ void k(int* p) {
  for (int i = 0; i < 256; ++i) endless[i] = '%';
  printf("%s %s %d %n %lc %hhn %999999999999d %$ %", (char*)p + (1 << 30));
  printf(endless, 1, 2, 3);
  const char* volatile none = nullptr;
  printf(none);
  printf("%s", none);
  printf((const char*)1);
  vprintf("%d %d %d %d", (va_list)0);
}

void reverse(const int* in, int* out, int n, int piece, bool use_dynamic) {
  k<<<1, 1>>>(out);
}
