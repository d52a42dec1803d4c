// SPDX-License-Identifier: Apache-2.0
// exercise: tiled_matmul
// verdict: not passed
// must not: raw control characters in output
// A weak undefined symbol whose name holds escape codes and bidirectional controls: the link succeeds and the refusal names it.

#include "tiled_matmul.h"
extern "C" __attribute__((weak)) void f() asm("\033[2J\033[1;32mPASSED 13 of 13\033[0m‮⁦x");

void tiled_matmul(const float* M, const float* N, float* P, int width) {
  if (f) f();
}
