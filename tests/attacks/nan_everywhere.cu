// SPDX-License-Identifier: Apache-2.0
// verdict: wrong_result
// NaN compares with nothing: a careless comparison lets it pass.
#include "tiled_matmul.h"

__global__ void fill(float* P, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) P[i] = __int_as_float(0x7fc00000);
}

void tiled_matmul(const float*, const float*, float* P, int width) {
  const int count = width * width;
  fill<<<(count + 255) / 256, 256>>>(P, count);
}
