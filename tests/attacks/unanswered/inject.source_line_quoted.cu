// SPDX-License-Identifier: Apache-2.0
// exercise: tiled_matmul
// verdict: not passed
// must not: raw control, bidirectional or invisible characters in terminal output or JSON
// The faulty line itself has bidirectional controls, escape codes and tag characters in a comment: the report quotes it.

#include "tiled_matmul.h"
__global__ void k(float* p) {
  p[-5000000] = 1; /* ‮ } ⁦ if (ok) ⁩ ⁦ [2J[31m ​‍ 󠁁󠁂 31m  */
}

void tiled_matmul(const float* M, const float* N, float* P, int width) {
  k<<<1, 1>>>(P);
}
