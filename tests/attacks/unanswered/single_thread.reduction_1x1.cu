// SPDX-License-Identifier: Apache-2.0
// exercise: coarsened_reduction
// verdict: not passed
// must not: pass
// <<<1, 1>>> adds everything up: fewer threads cannot be.

#include "coarsened_reduction.h"

__global__ void coarsened_reduction_kernel(const float* in, float* out, int n) { float s = 0; for (int i = 0; i < n; ++i) s += in[i]; *out = s; }

void coarsened_reduction(const float* input, float* output, int length) {
  coarsened_reduction_kernel<<<1, 1>>>(input, output, length);
}
