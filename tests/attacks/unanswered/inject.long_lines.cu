// SPDX-License-Identifier: Apache-2.0
// exercise: tiled_matmul
// verdict: not passed
// must not: grow; hang; grader_fault
// One line of 50 MB without an end, and 200,000 short ones.

#include "tiled_matmul.h"
#include <cstdio>

void tiled_matmul(const float* M, const float* N, float* P, int width) {
  static char b[1 << 20];
  for (auto& c : b) c = 'x';
  for (int i = 0; i < 50; ++i) fwrite(b, 1, sizeof b, stdout);
  for (int i = 0; i < 200000; ++i) puts("line");
}
