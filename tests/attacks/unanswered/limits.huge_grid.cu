// SPDX-License-Identifier: Apache-2.0
// exercise: tiled_matmul
// verdict: not passed
// must not: hang longer than 60 s; grow; grader_fault
// 2^31 - 1 x 65535 x 65535 blocks of an empty kernel, and of one that does a little.

#include "tiled_matmul.h"
__global__ void none() {}
__global__ void k(float* p) { p[0] = blockIdx.x; }

void tiled_matmul(const float* M, const float* N, float* P, int width) {
  none<<<dim3(2147483647, 65535, 65535), 1024>>>();
  k<<<dim3(2147483647, 65535, 65535), 1024>>>(P);
}
