// SPDX-License-Identifier: Apache-2.0
// clean
// Kernels of two streams write one array: its halves, then its even and odd elements, then its even and odd
// bytes.
#include "tests/kernels/expect.h"

template <class T>
__global__ void fill(T* out, int first, int step, int count, T value) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) out[first + i * step] = value;
}

int main() {
  const int n = 50000;
  int* a = OnDevice<int>(2 * n);
  char* bytes = OnDevice<char>(2 * n);
  cudaStream_t one, two;
  CUDA(cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking));
  CUDA(cudaStreamCreateWithFlags(&two, cudaStreamNonBlocking));
  fill<<<n / 128 + 1, 128, 0, one>>>(a, 0, 1, n, 1);
  fill<<<n / 128 + 1, 128, 0, two>>>(a, n, 1, n, 2);
  FINISH();
  fill<<<n / 128 + 1, 128, 0, one>>>(a, 0, 2, n, 3);
  fill<<<n / 128 + 1, 128, 0, two>>>(a, 1, 2, n, 4);
  FINISH();
  fill<<<n / 128 + 1, 128, 0, one>>>(bytes, 0, 2, n, char(5));
  fill<<<n / 128 + 1, 128, 0, two>>>(bytes, 1, 2, n, char(6));
  FINISH();
  return 0;
}
