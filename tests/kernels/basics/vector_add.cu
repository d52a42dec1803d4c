// SPDX-License-Identifier: Apache-2.0
// The first program of every course, with several sizes that are no multiple of the block.
#include "tests/kernels/expect.h"

__global__ void vector_add(const float* a, const float* b, float* c, int n) {
  const int i = blockDim.x * blockIdx.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

int main() {
  for (int n : {1, 31, 256, 1000, 4097}) {
    const std::vector<float> a = Eighths(n, 1), b = Eighths(n, 2);
    float *da = OnDevice(a), *db = OnDevice(b), *dc = OnDevice<float>(n);
    vector_add<<<(n + 255) / 256, 256>>>(da, db, dc, n);
    FINISH();
    const auto c = FromDevice(dc, n);
    for (int i = 0; i < n; ++i) ExpectEqual("c", i, c[i], a[i] + b[i]);
    CUDA(cudaFree(da));
    CUDA(cudaFree(db));
    CUDA(cudaFree(dc));
  }
  CUDA(cudaDeviceReset());
  return Result();
}
