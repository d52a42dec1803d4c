// SPDX-License-Identifier: Apache-2.0
// Looks at no error, and writes one element too many.
#include <cstdio>

__global__ void fill(int* numbers, int n) {
  const int i = threadIdx.x;
  if (i <= n) numbers[i] = i;
}

int main() {
  const int n = 40;
  int numbers[n] = {};
  int* numbers_d;
  cudaMalloc(&numbers_d, sizeof numbers);
  fill<<<1, 64>>>(numbers_d, n);
  cudaMemcpy(numbers, numbers_d, sizeof numbers, cudaMemcpyDeviceToHost);
  std::printf("done\n");
  return 0;
}
