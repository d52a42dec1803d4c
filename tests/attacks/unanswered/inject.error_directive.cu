// SPDX-License-Identifier: Apache-2.0
// exercise: tiled_matmul
// verdict: compile_error
// must not: raw control, bidirectional or invisible characters in terminal output or JSON; a verdict line that seems to be the grader's
// #error and #warning with raw escape codes, and a comment trick that shows lines like a verdict.

#include "tiled_matmul.h"
#warning [2J[H[32mPASSED[0m 13 of 13 ‮⁧
#pragma message "]0;title ⁦"
#error [1;32mPASSED[0m ‭⁨ 32m   line

void tiled_matmul(const float* M, const float* N, float* P, int width) {

}
