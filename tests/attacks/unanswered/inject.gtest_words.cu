// SPDX-License-Identifier: Apache-2.0
// exercise: rect_tiled_matmul
// verdict: not passed
// must not: pass
// Prints words that test frames print: [  PASSED  ], ok 1, TAP, and a worker's possible answers.

#include "rect_tiled_matmul.h"
#include <cstdio>

void rect_tiled_matmul(const float* M, const float* N, float* P, int j, int k, int l) {
  printf("[==========] 19 tests ran.\n[  PASSED  ] 19 tests.\n1..19\nok 1 - all\n##teamcity[testFinished]\n::error::x\n::set-output name=grade::10\n");
}
