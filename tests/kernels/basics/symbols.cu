// SPDX-License-Identifier: Apache-2.0
// Constant memory and __device__ variables: initial values, copies to and from symbols with offsets, the
// address of a symbol as a kernel argument, and a variable that kernels share.
#include "tests/kernels/expect.h"

__constant__ float coefficients[8] = {1, 2, 3, 4, 5, 6, 7, 8};
__constant__ int scale;
__device__ int launches = 100;
__device__ float table[16];

__global__ void evaluate(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i == 0) atomicAdd(&launches, 1);
  if (i >= n) return;
  float sum = 0;
  for (int k = 7; k >= 0; --k) sum = sum * x[i] + coefficients[k];
  y[i] = sum * scale;
  if (i < 16) table[i] = coefficients[i % 8] + i;
}

__global__ void fill(float* values) {
  values[threadIdx.x] = -1.0f;
}

int main() {
  const int n = 100;
  std::vector<float> x(n);
  for (int i = 0; i < n; ++i) x[i] = (i % 5 - 2) * 0.5f;
  float *dx = OnDevice(x), *dy = OnDevice<float>(n);
  const int three = 3;
  CUDA(cudaMemcpyToSymbol(scale, &three, sizeof three));
  float c[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  for (int run = 0; run < 2; ++run) {
    evaluate<<<2, 64>>>(dx, dy, n);
    FINISH();
    const auto y = FromDevice(dy, n);
    for (int i = 0; i < n; ++i) {
      float sum = 0;
      for (int k = 7; k >= 0; --k) sum = std::fma(sum, x[i], c[k]);
      ExpectEqual("y", i, y[i], sum * 3);
    }
    const float changed[2] = {-4, 0.5f};
    CUDA(cudaMemcpyToSymbol(coefficients, changed, sizeof changed, 2 * sizeof(float)));
    c[2] = -4, c[3] = 0.5f;
  }
  int count = 0;
  CUDA(cudaMemcpyFromSymbol(&count, launches, sizeof count));
  ExpectEqual("launches", 0, count, 102);
  float part[4];
  CUDA(cudaMemcpyFromSymbol(part, table, sizeof part, 4 * sizeof(float)));
  for (int i = 0; i < 4; ++i) ExpectEqual("table", i, part[i], (i == -1 ? 0 : i + 5) + i + 4);
  void* address = nullptr;
  std::size_t size = 0;
  CUDA(cudaGetSymbolAddress(&address, table));
  CUDA(cudaGetSymbolSize(&size, table));
  ExpectEqual("size", 0, size, 64u);
  fill<<<1, 16>>>(static_cast<float*>(address));
  CUDA(cudaMemcpyFromSymbol(part, table, sizeof part));
  ExpectEqual("filled", 0, part[3], -1.0f);
  return Result();
}
