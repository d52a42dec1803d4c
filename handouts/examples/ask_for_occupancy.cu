// SPDX-License-Identifier: Apache-2.0
// Worked example of chapter 4's handout: the runtime's own answer for a kernel with 32 KB a block.
#include <cstdio>

__global__ void kernel(float* out) {
  extern __shared__ float memory[];
  memory[threadIdx.x] = 1.0f;
  __syncthreads();
  out[blockIdx.x * blockDim.x + threadIdx.x] = memory[blockDim.x - 1 - threadIdx.x];
}

int main() {
  // [query]
  const int threads = 256;
  const size_t bytes = 32 * 1024;
  int blocks = 0, most = 0;
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, threads, bytes);
  cudaDeviceGetAttribute(&most, cudaDevAttrMaxThreadsPerMultiProcessor, 0);
  std::printf("%d blocks, %d of %d threads\n", blocks, blocks * threads, most);
  // [end]
}
