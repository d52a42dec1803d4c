// SPDX-License-Identifier: Apache-2.0
// exercise: tiled_matmul
// verdict: not passed
// must not: pass; grader_fault
// The entry itself is an ifunc whose resolver runs while the program is being loaded.

#include "tiled_matmul.h"
#include <cstdlib>
extern "C" { static void none(const float*, const float*, float*, int) {}
static void* resolve() { return (void*)none; } }
void other(const float*, const float*, float*, int) __attribute__((ifunc("resolve")));

void tiled_matmul(const float* M, const float* N, float* P, int width) {
  other(M, N, P, width);
}
