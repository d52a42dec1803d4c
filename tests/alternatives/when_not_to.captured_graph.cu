// SPDX-License-Identifier: Apache-2.0
// differs: an extra answer: the launch is captured from a stream into a CUDA graph and the graph is launched; the kernel
// has an assert.

#include <cassert>

#include "when_not_to.h"

__global__ void from_graph(const float* A, const float* B, float* C, int length, int factor) {
  assert(blockDim.x == 256);
  for (int c = 0; c < factor; ++c) {
    const int i = (blockIdx.x * factor + c) * 256 + threadIdx.x;
    if (i < length) C[i] = A[i] + B[i];
  }
}

void when_not_to(const float* A, const float* B, float* C, int length, int coarse_factor) {
  cudaStream_t stream;
  cudaGraph_t graph;
  cudaGraphExec_t ready;
  cudaStreamCreate(&stream);
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  const int segment = 256 * coarse_factor;
  from_graph<<<(length + segment - 1) / segment, 256, 0, stream>>>(A, B, C, length, coarse_factor);
  cudaStreamEndCapture(stream, &graph);
  cudaGraphInstantiate(&ready, graph, 0);
  cudaGraphLaunch(ready, stream);
  cudaStreamSynchronize(stream);
  cudaGraphExecDestroy(ready);
  cudaGraphDestroy(graph);
  cudaStreamDestroy(stream);
}
