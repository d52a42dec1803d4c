// SPDX-License-Identifier: Apache-2.0
// exercise: tiled_matmul
// verdict: compile_error
// must not: hang; grow; grader_fault
// #include "/dev/zero".

#include "tiled_matmul.h"
#include "/dev/zero"

void tiled_matmul(const float* M, const float* N, float* P, int width) {

}
