// SPDX-License-Identifier: Apache-2.0
// Writes past the end of an array, then waits for a value that never comes. `interrupted FILE` makes FILE as
// soon as the kernel that waits is running.
#include <cstdio>
#include <thread>

__global__ void fill(int* numbers, int n) {
  const int i = threadIdx.x;
  if (i <= n) numbers[i] = i;
}

__global__ void wait_for_ever(volatile int* flags) {
  flags[0] = 1;
  while (flags[1] == 0) {
  }
}

int main(int, char** argv) {
  const int n = 31;
  int *numbers, *flags;
  cudaMalloc(&numbers, n * sizeof(int));
  cudaMallocManaged(&flags, 2 * sizeof(int));
  flags[0] = flags[1] = 0;
  fill<<<1, 32>>>(numbers, n);
  std::thread watcher([=] {
    const volatile int* running = flags;
    while (*running == 0) std::this_thread::yield();
    std::fclose(std::fopen(argv[1], "w"));
  });
  wait_for_ever<<<1, 1>>>(flags);
  cudaDeviceSynchronize();
  watcher.join();
}
