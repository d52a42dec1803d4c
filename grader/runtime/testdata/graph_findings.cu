// SPDX-License-Identifier: Apache-2.0
// Mistakes with graphs that allocate memory or choose by conditions; the argument says which.
#include <cstdio>
#include <cstring>
#include <string>

#if CUDART_VERSION < 13000
// Calls have other parameters there.
int main() {}
#else

namespace {

__global__ void store(int* to) {
  *to = 1;
}
__global__ void read(const int* from, int* to) {
  *to = *from;
}
__global__ void set_each(cudaGraphConditionalHandle handle) {
  cudaGraphSetConditional(handle, threadIdx.x);
}

cudaStream_t stream, other;

/// A graph that allocates memory and does not free it.
cudaGraphExec_t Allocating(int** memory, unsigned long long flags = 0) {
  cudaGraph_t graph;
  cudaGraphExec_t ready;
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  cudaMallocAsync(memory, sizeof(int), stream);
  cudaStreamEndCapture(stream, &graph);
  cudaGraphInstantiate(&ready, graph, flags);
  return ready;
}

/// A graph with a while node within a while node, whose condition never changes.
void Endless() {
  cudaGraph_t graph, inside;
  cudaGraphExec_t ready;
  cudaGraphCreate(&graph, 0);
  inside = graph;
  for (int depth = 0; depth < 2; ++depth) {
    cudaGraphNode_t node;
    cudaGraphNodeParams wanted = {cudaGraphNodeTypeConditional};
    cudaGraphConditionalHandleCreate(&wanted.conditional.handle, graph, 1, cudaGraphCondAssignDefault);
    wanted.conditional.type = cudaGraphCondTypeWhile;
    wanted.conditional.size = 1;
    cudaGraphAddNode(&node, inside, nullptr, nullptr, 0, &wanted);
    inside = wanted.conditional.phGraph_out[0];
  }
  cudaGraphInstantiate(&ready, graph, 0);
  std::printf("%s\n", cudaGetErrorName(cudaGraphLaunch(ready, stream)));
}

void WrongHandle() {
  set_each<<<1, 1>>>(12345);
}

void SeveralThreads() {
  cudaGraph_t graph;
  cudaGraphCreate(&graph, 0);
  cudaGraphConditionalHandle handle;
  cudaGraphConditionalHandleCreate(&handle, graph, 0, 0);
  set_each<<<1, 2>>>(handle);
}

}  // namespace

int main(int, char** arguments) {
  const std::string mistake = arguments[1];
  int *memory, *out = nullptr;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
  if (mistake == "endless") Endless();
  if (mistake == "wrong_handle") WrongHandle();
  if (mistake == "several_threads") SeveralThreads();
  if (mistake == "before_launch") {
    Allocating(&memory);
    store<<<1, 1, 0, stream>>>(memory);
  }
  if (mistake == "unwritten") {
    cudaMalloc(&out, sizeof(int));
    cudaGraphLaunch(Allocating(&memory), stream);
    read<<<1, 1, 0, stream>>>(memory, out);
    cudaFreeAsync(memory, stream);
  }
  if (mistake == "after_free") {
    cudaGraphLaunch(Allocating(&memory), stream);
    cudaFreeAsync(memory, stream);
    store<<<1, 1, 0, stream>>>(memory);
  }
  if (mistake == "unordered") {
    cudaGraphLaunch(Allocating(&memory), stream);
    store<<<1, 1, 0, other>>>(memory);
    cudaDeviceSynchronize();
    cudaFree(memory);
  }
  if (mistake == "unfreed") {
    const cudaGraphExec_t ready = Allocating(&memory);
    cudaGraphLaunch(ready, stream);
    cudaGraphLaunch(ready, stream);
    cudaFreeAsync(memory, stream);
  }
  if (mistake == "leak") cudaGraphLaunch(Allocating(&memory), stream);
  if (mistake == "none") {
    const cudaGraphExec_t ready = Allocating(&memory, cudaGraphInstantiateFlagAutoFreeOnLaunch);
    for (int i = 0; i < 3; ++i) {
      cudaGraphLaunch(ready, stream);
      store<<<1, 1, 0, stream>>>(memory);
    }
    cudaFreeAsync(memory, stream);
    cudaDeviceSynchronize();
    cudaGraphExecDestroy(ready);
  }
  cudaDeviceSynchronize();
  cudaFree(out);
  return 0;
}

#endif
