// SPDX-License-Identifier: Apache-2.0
// What kernels print comes between what the host prints, at the synchronisation.
#include <cstdio>

__global__ void greet() { printf("thread %d\n", threadIdx.x); }

int main() {
  std::printf("before\n");
  greet<<<1, 2>>>();
  cudaDeviceSynchronize();
  std::printf("after\n");
  return 0;
}
