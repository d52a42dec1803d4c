// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
__global__ void pr(int n, float x, const char* s) {
  printf("n=%d x=%g s=%s %llu\n", n, x, s, (unsigned long long)n);
  printf("plain\n");
}
