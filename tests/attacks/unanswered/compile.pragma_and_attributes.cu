// SPDX-License-Identifier: Apache-2.0
// exercise: tiled_matmul
// verdict: not passed
// must not: pass; grader_fault
// #pragma GCC poison, push_macro, system_header, diagnostic ignored, optimize; __attribute__((optimize)); redefined keywords after the header.

#include "tiled_matmul.h"
#pragma GCC system_header
#pragma nv_diag_suppress 177
#pragma GCC diagnostic ignored "-Wall"
#pragma push_macro("float")
#define private public
#define float double
#undef float
#pragma pop_macro("float")

void tiled_matmul(const float* M, const float* N, float* P, int width) {

}
