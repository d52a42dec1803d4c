// SPDX-License-Identifier: Apache-2.0
// A __managed__ variable, which a device that cannot load the program has no memory for: the host's accesses are no
// crash all the same, and the launch's error says what is wrong.
#include <cstdio>

__managed__ int counter = 3;
__global__ void count() { ++counter; }

int main() {
  int before = counter;
  counter = 7;
  count<<<1, 1>>>();
  cudaError_t launched = cudaGetLastError();
  cudaDeviceSynchronize();
  std::printf("%d, %s, %d\n", before, cudaGetErrorName(launched), counter);
}
