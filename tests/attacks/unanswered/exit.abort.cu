// SPDX-License-Identifier: Apache-2.0
// exercise: rect_matmul
// verdict: not passed
// must not: pass; grader_fault
// abort().

#include "rect_matmul.h"
#include <cstdlib>

void rect_matmul(const float* M, const float* N, float* P, int j, int k, int l) {
  abort();
}
