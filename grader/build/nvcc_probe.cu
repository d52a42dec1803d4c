// SPDX-License-Identifier: Apache-2.0
// Compiled while the build is configured: does nvcc work together with this g++ and its library's headers?
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

__global__ void probe(float* values) {
  values[threadIdx.x] = sinf(values[threadIdx.x]);
}
