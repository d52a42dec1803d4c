// SPDX-License-Identifier: Apache-2.0
// exercise: rect_matmul
// verdict: not passed
// must not: hang longer than 60 s; grader_fault
// Endless loop on the host.

#include "rect_matmul.h"

void rect_matmul(const float* M, const float* N, float* P, int j, int k, int l) {
  for (volatile int i = 0;; ++i) {}
}
