// SPDX-License-Identifier: Apache-2.0
// cudaEventDestroy behind cudaStreamWaitEvent: the wait stays. Both streams are non-blocking, and only the
// one that waits is waited for.
#include "tests/kernels/expect.h"

__global__ void produce(int* values, int n, int value) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] = value + i;
}
__global__ void add_to(int* sums, const int* values, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) sums[i] += values[i];
}

int main() {
  const int n = 256, rounds = 3;
  int *values = OnDevice(std::vector<int>(n, -1)), *sums = OnDevice(std::vector<int>(n, 0));
  cudaStream_t producing, adding;
  CUDA(cudaStreamCreateWithFlags(&producing, cudaStreamNonBlocking));
  CUDA(cudaStreamCreateWithFlags(&adding, cudaStreamNonBlocking));
  const auto make_wait = [](cudaStream_t waiting, cudaStream_t stream) {
    cudaEvent_t event;
    CUDA(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
    CUDA(cudaEventRecord(event, stream));
    CUDA(cudaStreamWaitEvent(waiting, event, 0));
    CUDA(cudaEventDestroy(event));
  };
  for (int round = 0; round < rounds; ++round) {
    produce<<<n / 64, 64, 0, producing>>>(values, n, 1000 * round);
    make_wait(adding, producing);
    add_to<<<n / 64, 64, 0, adding>>>(sums, values, n);
    make_wait(producing, adding);
  }
  CUDA(cudaStreamSynchronize(adding));
  const std::vector<int> out = FromDevice(sums, n);
  for (int i = 0; i < n; ++i) ExpectEqual("sums", i, out[i], 1000 * (0 + 1 + 2) + rounds * i);
  for (cudaStream_t stream : {producing, adding}) CUDA(cudaStreamDestroy(stream));
  for (int* array : {values, sums}) CUDA(cudaFree(array));
  return Result();
}
