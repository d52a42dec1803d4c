// SPDX-License-Identifier: Apache-2.0
// exercise: tiled_matmul
// verdict: compile_error
// must not: raw control, bidirectional or invisible characters in terminal output or JSON
// A line with a compile error and the same characters: the compiler quotes it.

#include "tiled_matmul.h"
int v = nope; /* ‮ } ⁦ PASSED ⁩ [2J[32mPASSED[0m 󠁁 32m */

void tiled_matmul(const float* M, const float* N, float* P, int width) {

}
