// SPDX-License-Identifier: Apache-2.0
// exercise: coarsened_reduction
// verdict: not passed
// must not: grader_fault; pass
// Cooperative launch with grid.sync(), with far too many blocks for it.

#include "coarsened_reduction.h"
#include <cooperative_groups.h>
__global__ void k(float* p) { cooperative_groups::this_grid().sync(); p[0] = 1; }

void coarsened_reduction(const float* input, float* output, int length) {
  void* a[] = {&output};
  cudaLaunchCooperativeKernel((void*)k, dim3(100000), dim3(1024), a, 0, 0);
}
