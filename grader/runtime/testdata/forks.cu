// SPDX-License-Identifier: Apache-2.0
// Forks once it has a device: the child must not speak on its parent's connection.
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>

__global__ void set_seven(int* p) { *p = 7; }

int main() {
  int* device = nullptr;
  cudaMalloc(&device, sizeof(int));
  if (fork() == 0) {
    std::printf("child: %s\n", cudaGetErrorString(cudaMemset(device, 0, sizeof(int))));
    return 0;
  }
  wait(nullptr);
  set_seven<<<1, 1>>>(device);
  int value = 0;
  cudaError_t status = cudaMemcpy(&value, device, sizeof value, cudaMemcpyDefault);
  std::printf("parent: %s, %d\n", cudaGetErrorString(status), value);
  return 0;
}
