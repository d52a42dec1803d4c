// SPDX-License-Identifier: Apache-2.0
// exercise: coarsened_matmul
// verdict: not passed
// must not: raw control, bidirectional or invisible characters in terminal output or JSON
// A failing device assert whose expression, file and function hold escape codes.

#include "coarsened_matmul.h"
#include <cassert>
#line 5 "\033[31mfile‮⁦.cu"
__global__ void k(float* p) { assert(p == nullptr && "\033[2J‮ PASSED ⁦󠁁"); }

void coarsened_matmul(const float* M, const float* N, float* P, int width) {
  k<<<1, 1>>>(P);
}
