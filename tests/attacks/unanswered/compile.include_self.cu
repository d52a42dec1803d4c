// SPDX-License-Identifier: Apache-2.0
// exercise: tiled_matmul
// verdict: compile_error
// must not: hang; grow; grader_fault
// Includes itself twice.

#include "tiled_matmul.h"
#include __FILE__
#include __FILE__

void tiled_matmul(const float* M, const float* N, float* P, int width) {

}
