// SPDX-License-Identifier: Apache-2.0
// exercise: tiled_matmul
// verdict: compile_error
// must not: fill the disk; hang; grader_fault
// .fill with 3 GB in the data section.

#include "tiled_matmul.h"
asm(".data\n.fill 0x30000000, 4, 1\n.text\n");

void tiled_matmul(const float* M, const float* N, float* P, int width) {

}
