// SPDX-License-Identifier: Apache-2.0
// exercise: tiled_matmul
// verdict: not passed
// must not: name or show another file
// #line makes the faults seem to be in /etc/passwd and in the suite; a finding there makes the report quote that file's line.

#include "tiled_matmul.h"
#line 1 "/etc/passwd"
__global__ void k(float* p) { p[-5000000] = 1; }
#line 3 "/opt/warplings/README.md"
__global__ void k2(float* p) { p[5000000] = 1; }

void tiled_matmul(const float* M, const float* N, float* P, int width) {
  k<<<1, 1>>>(P);
  k2<<<1, 1>>>(P);
}
