// SPDX-License-Identifier: Apache-2.0
// exercise: tiled_matmul
// verdict: compile_error
// must not: hang; grader_fault
// A constexpr function with 2^40 steps in a static_assert.

#include "tiled_matmul.h"
constexpr long f(long n) { long s = 0; for (long i = 0; i < n; ++i) s += i % 7; return s; }
static_assert(f(1L << 40) > 0, "");

void tiled_matmul(const float* M, const float* N, float* P, int width) {

}
