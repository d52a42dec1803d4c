// SPDX-License-Identifier: Apache-2.0
// exercise: tiled_matmul
// verdict: not passed
// must not: hang longer than 60 s; grow; grader_fault
// Endless printf on the host.

#include "tiled_matmul.h"
#include <cstdio>

void tiled_matmul(const float* M, const float* N, float* P, int width) {
  for (;;) printf("again and again and again and again\n");
}
