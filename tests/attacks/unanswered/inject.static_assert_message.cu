// SPDX-License-Identifier: Apache-2.0
// exercise: tiled_matmul
// verdict: compile_error
// must not: raw control, bidirectional or invisible characters in terminal output or JSON
// static_assert with escape codes and bidirectional controls, raw bytes and escaped.

#include "tiled_matmul.h"
static_assert(sizeof(int) == 5, "\033[2J\033[32mPASSED ‮⁦​󠁁 [31m raw 31m");

void tiled_matmul(const float* M, const float* N, float* P, int width) {

}
