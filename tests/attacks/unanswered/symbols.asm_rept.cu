// SPDX-License-Identifier: Apache-2.0
// exercise: tiled_matmul
// verdict: compile_error
// must not: hang; grow; grader_fault
// .rept nested to 10^12 lines.

#include "tiled_matmul.h"
asm(".data\n.rept 1000000\n.rept 1000000\n.byte 1\n.endr\n.endr\n.text\n");

void tiled_matmul(const float* M, const float* N, float* P, int width) {

}
