// SPDX-License-Identifier: Apache-2.0
// exercise: tiled_matmul
// verdict: not passed
// must not: pass
// Launches nothing and writes nothing.

#include "tiled_matmul.h"

void tiled_matmul(const float* M, const float* N, float* P, int width) {

}
