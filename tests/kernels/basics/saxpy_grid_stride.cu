// SPDX-License-Identifier: Apache-2.0
// Saxpy with a grid-stride loop; the same answer for any launch, among them <<<1, 1>>>; occupancy decides
// one.
#include "tests/kernels/expect.h"

__global__ void saxpy(int n, float a, const float* __restrict__ x, float* __restrict__ y) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
    y[i] = a * x[i] + y[i];
}

int main() {
  const int n = 3001;
  const std::vector<float> x = Eighths(n, 1), y = Eighths(n, 2);
  float *dx = OnDevice(x), *dy = OnDevice<float>(n);
  int best_grid = 0, best_block = 0;
  CUDA(cudaOccupancyMaxPotentialBlockSize(&best_grid, &best_block, saxpy));
  for (int2 shape :
       {make_int2(1, 1), make_int2(7, 33), make_int2(100, 128), make_int2(best_grid, best_block)}) {
    CUDA(cudaMemcpy(dy, y.data(), n * sizeof(float), cudaMemcpyHostToDevice));
    saxpy<<<shape.x, shape.y>>>(n, 2.0f, dx, dy);
    FINISH();
    const auto got = FromDevice(dy, n);
    for (int i = 0; i < n; ++i) ExpectEqual("y", i, got[i], 2.0f * x[i] + y[i]);
  }
  return Result();
}
