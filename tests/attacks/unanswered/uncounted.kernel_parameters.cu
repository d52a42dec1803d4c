// SPDX-License-Identifier: Apache-2.0
// exercise: coarsened_reduction
// verdict: not passed
// must not: pass
// The input travels in the kernel parameters, 1000 floats a launch; one thread adds them.

#include "coarsened_reduction.h"
#include <vector>
struct Box { float v[1000]; };
__global__ void add(Box b, float* out) { float s = 0; for (int i = 0; i < 1000; ++i) s += b.v[i]; *out += s; }

void coarsened_reduction(const float* input, float* output, int length) {
  cudaMemset(output, 0, 4);
  std::vector<float> x(length);
  if (length) cudaMemcpy(x.data(), input, length * 4ull, cudaMemcpyDeviceToHost);
  for (int i = 0; i < length; i += 1000) {
    Box b = {};
    for (int k = 0; k < 1000 && i + k < length; ++k) b.v[k] = x[i + k];
    add<<<1, 1>>>(b, output);
  }
}
