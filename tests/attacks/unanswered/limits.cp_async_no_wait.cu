// SPDX-License-Identifier: Apache-2.0
// exercise: tiled_matmul
// verdict: not passed
// must not: grow; grader_fault; hang
// cp.async in a loop of millions without commit or wait.

#include "tiled_matmul.h"
#include <cuda_pipeline.h>
__global__ void k(const float* M) { __shared__ float s[1024]; for (int i = 0; i < 3000000; ++i) __pipeline_memcpy_async(&s[threadIdx.x], M, 4); }

void tiled_matmul(const float* M, const float* N, float* P, int width) {
  k<<<1, 256>>>(M);
}
