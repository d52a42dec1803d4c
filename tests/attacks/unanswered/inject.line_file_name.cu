// SPDX-License-Identifier: Apache-2.0
// exercise: tiled_matmul
// verdict: not passed
// must not: raw control, bidirectional or invisible characters in terminal output or JSON
// #line with a file name of escape codes, newline and bidirectional controls, and a finding in the line.

#include "tiled_matmul.h"
#line 10 "a\033[2J\n  pass  everything\nPASSED‮⁦​[31m.cu"
__global__ void k(float* p) { p[-5000000] = 1; }

void tiled_matmul(const float* M, const float* N, float* P, int width) {
  k<<<1, 1>>>(P);
}
