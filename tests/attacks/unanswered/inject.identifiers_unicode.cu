// SPDX-License-Identifier: Apache-2.0
// exercise: tiled_matmul
// verdict: compile_error
// must not: raw control, bidirectional or invisible characters in terminal output or JSON
// Kernel and variables whose names have joiners, variation selectors and letters that look like others (u-escapes).

#include "tiled_matmul.h"
__global__ void k\u200d\ufe0fае(float* р) { р[-5000000] = 1; }

void tiled_matmul(const float* M, const float* N, float* P, int width) {
  k\u200d\ufe0fае<<<1, 1>>>(P);
}
