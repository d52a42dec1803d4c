// SPDX-License-Identifier: Apache-2.0
// exercise: tiled_matmul
// verdict: not passed
// must not: hang longer than 60 s; grader_fault
// A static destructor that never ends.

#include "tiled_matmul.h"
struct D { ~D() { for (volatile int i = 0;; ++i) {} } };

void tiled_matmul(const float* M, const float* N, float* P, int width) {
  static D d;
}
