// SPDX-License-Identifier: Apache-2.0
// exercise: reverse
// verdict: not passed
// must not: pass; grader_fault
// cudaPointerGetAttributes and cudaMemGetInfo on many addresses to find what is allocated.

#include "reverse.h"

void reverse(const int* in, int* out, int n, int piece, bool use_dynamic) {
  size_t f, t;
  cudaMemGetInfo(&f, &t);
  for (long i = -20000; i < 20000; ++i) { cudaPointerAttributes a; cudaPointerGetAttributes(&a, (char*)out + i * 512); cudaGetLastError(); }
}
