// SPDX-License-Identifier: Apache-2.0
// exercise: tiled_matmul
// verdict: not passed
// must not: grader_fault; hang
// A static destructor goes on calling the device after the end.

#include "tiled_matmul.h"

__global__ void k() {}
struct D { ~D() { for (int i = 0; i < 100000; ++i) k<<<1, 1>>>(); cudaDeviceSynchronize(); } };

void tiled_matmul(const float* M, const float* N, float* P, int width) {
  static D d;
}
