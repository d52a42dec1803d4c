// SPDX-License-Identifier: Apache-2.0
// finding: race_between_streams, line 9, access read, object "argument 1"
// The kernel of a chunk is launched in the next stream.
// Only one finding: it is the same race for each chunk.
#include "tests/kernels/expect.h"

__global__ void scale(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = 2 * in[i];
}

int main() {
  const int chunk = 256, streams = 3, chunks = 6, n = chunk * chunks;
  int *from = nullptr, *in = OnDevice<int>(n), *out = OnDevice<int>(n);
  CUDA(cudaMallocHost(&from, n * sizeof(int)));
  cudaStream_t stream[streams];
  for (cudaStream_t& each : stream) CUDA(cudaStreamCreate(&each));
  for (int c = 0; c < chunks; ++c) {
    const int at = c * chunk;
    CUDA(cudaMemcpyAsync(in + at, from + at, chunk * sizeof(int), cudaMemcpyHostToDevice,
                         stream[c % streams]));
    scale<<<2, 128, 0, stream[(c + 1) % streams]>>>(in + at, out + at, chunk);
  }
  CUDA(cudaDeviceSynchronize());
  return 0;
}
