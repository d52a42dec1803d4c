// SPDX-License-Identifier: Apache-2.0
// exercise: rect_matmul
// verdict: not passed
// must not: raw control, bidirectional or invisible characters in terminal output or JSON; grader_fault
// All 256 bytes, NULs, and half a UTF-8 sequence at the end, to stderr.

#include "rect_matmul.h"
#include <cstdio>

void rect_matmul(const float* M, const float* N, float* P, int j, int k, int l) {
  for (int i = 0; i < 256; ++i) fputc(i, stderr);
  fputs("\xE2\x80", stderr);
}
