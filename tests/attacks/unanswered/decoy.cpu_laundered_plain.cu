// SPDX-License-Identifier: Apache-2.0
// exercise: coarsened_reduction
// verdict: not passed
// must not: pass
// The CPU adds up; a kernel of one thread is handed the sum as an argument and stores it.

#include "coarsened_reduction.h"
#include <vector>
__global__ void coarsened_reduction_kernel(float* output, float v) { *output = v; }

void coarsened_reduction(const float* input, float* output, int length) {
  std::vector<float> x(length);
  if (length) cudaMemcpy(x.data(), input, length * 4ull, cudaMemcpyDeviceToHost);
  double s = 0;
  for (float v : x) s += v;
  coarsened_reduction_kernel<<<1, 1>>>(output, (float)s);
}
