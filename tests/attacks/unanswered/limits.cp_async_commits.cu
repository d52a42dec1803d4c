// SPDX-License-Identifier: Apache-2.0
// exercise: tiled_matmul
// verdict: not passed
// must not: grow; grader_fault; hang
// The same with a commit each (empty groups too).

#include "tiled_matmul.h"
#include <cuda_pipeline.h>
__global__ void k(const float* M) { __shared__ float s[1024]; for (int i = 0; i < 3000000; ++i) { __pipeline_memcpy_async(&s[threadIdx.x], M, 4); __pipeline_commit(); __pipeline_commit(); } }

void tiled_matmul(const float* M, const float* N, float* P, int width) {
  k<<<1, 256>>>(M);
}
