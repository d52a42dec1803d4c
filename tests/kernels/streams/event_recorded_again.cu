// SPDX-License-Identifier: Apache-2.0
// One event for a chain of three non-blocking streams: a wait is for the recording that the event had when
// the wait was made, whatever stream it is recorded in afterwards.
#include "tests/kernels/expect.h"

__global__ void multiply_add(int* out, const int* in, int n, int factor, int summand) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i] * factor + summand;
}

int main() {
  const int n = 256, stages = 3;
  const std::vector<int> in = Integers(n);
  int* arrays[stages + 1] = {OnDevice(in)};
  for (int stage = 1; stage <= stages; ++stage) arrays[stage] = OnDevice(std::vector<int>(n, -1));
  cudaStream_t streams[stages], elsewhere;
  for (cudaStream_t& stream : streams) CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  CUDA(cudaStreamCreateWithFlags(&elsewhere, cudaStreamNonBlocking));
  cudaEvent_t event;
  CUDA(cudaEventCreate(&event));
  // Never recorded so far: no wait.
  CUDA(cudaStreamWaitEvent(streams[0], event, 0));
  for (int stage = 0; stage < stages; ++stage) {
    if (stage > 0) CUDA(cudaStreamWaitEvent(streams[stage], event, 0));
    multiply_add<<<n / 64, 64, 0, streams[stage]>>>(arrays[stage + 1], arrays[stage], n, 2, stage);
    CUDA(cudaEventRecord(event, streams[stage]));
  }
  CUDA(cudaEventRecord(event, elsewhere));
  CUDA(cudaEventSynchronize(event));
  CUDA(cudaStreamSynchronize(streams[stages - 1]));
  const std::vector<int> out = FromDevice(arrays[stages], n);
  for (int i = 0; i < n; ++i) {
    int wanted = in[i];
    for (int stage = 0; stage < stages; ++stage) wanted = wanted * 2 + stage;
    ExpectEqual("out", i, out[i], wanted);
  }
  CUDA(cudaEventDestroy(event));
  for (cudaStream_t stream : streams) CUDA(cudaStreamDestroy(stream));
  CUDA(cudaStreamDestroy(elsewhere));
  for (int* array : arrays) CUDA(cudaFree(array));
  return Result();
}
