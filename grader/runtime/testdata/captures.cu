// SPDX-License-Identifier: Apache-2.0
// Prints what calls return while a stream is capturing, the capture's status afterwards, what ending it
// returns and how many nodes it has; then wrong calls about graphs. captures.expected is what an H100 with
// CUDA 13.0 printed.
#include <cstdio>

namespace {

cudaStream_t stream, other, another, blocking;
cudaEvent_t event, never;
cudaStreamCaptureStatus status;
cudaGraph_t graph;
int *values, *more, host[64];
void* pointer;

__global__ void store(int* p) {
  *p = 1;
}
void NoKernel() {}
void CUDART_CB Callback(cudaStream_t, cudaError_t, void*) {}

void Show(const char* call, cudaError_t returned) {
  std::printf("%s: %d, last error %d\n", call, returned, cudaGetLastError());
}
#define SHOW(call) Show(#call, call)

void End() {
  graph = nullptr;
  cudaStreamIsCapturing(stream, &status);
  const cudaError_t ended = cudaStreamEndCapture(stream, &graph);
  std::size_t nodes = 0;
  if (graph != nullptr) cudaGraphGetNodes(graph, nullptr, &nodes);
  std::printf("  status %d, end %d, %d nodes\n", status, ended, static_cast<int>(nodes));
  cudaGetLastError();
}
#define DURING(mode, call)                \
  do {                                    \
    cudaStreamBeginCapture(stream, mode); \
    store<<<1, 1, 0, stream>>>(values);   \
    SHOW(call);                           \
    End();                                \
  } while (0)

void Calls() {
  const auto global = cudaStreamCaptureModeGlobal, thread = cudaStreamCaptureModeThreadLocal,
             relaxed = cudaStreamCaptureModeRelaxed;
  DURING(global, cudaStreamSynchronize(stream));
  DURING(global, cudaStreamQuery(stream));
  DURING(global, cudaStreamSynchronize(other));
  DURING(global, cudaStreamQuery(other));
  DURING(global, cudaStreamSynchronize(nullptr));
  DURING(global, cudaDeviceSynchronize());
  DURING(relaxed, cudaDeviceSynchronize());
  DURING(global, cudaMalloc(&pointer, 64));
  DURING(thread, cudaMalloc(&pointer, 64));
  DURING(relaxed, cudaMalloc(&pointer, 64));
  DURING(global, cudaFree(pointer));
  DURING(relaxed, cudaFree(pointer));
  DURING(global, cudaMallocHost(&pointer, 64));
  DURING(global, cudaMemset(values, 0, 4));
  DURING(relaxed, cudaMemset(values, 0, 4));
  DURING(global, cudaMemcpy(host, values, 4, cudaMemcpyDeviceToHost));
  DURING(global, cudaMemcpy(values, more, 4, cudaMemcpyDeviceToDevice));
  DURING(relaxed, cudaMemcpy(host, values, 4, cudaMemcpyDeviceToHost));
  DURING(global, cudaMemsetAsync(values, 0, 4, nullptr));
  DURING(global, cudaMemcpyAsync(host, values, 4, cudaMemcpyDeviceToHost, other));
  DURING(global, cudaMemcpyAsync(host, values, 4, cudaMemcpyDeviceToHost, stream));
  DURING(global, cudaMemcpyAsync(values, host, 4, cudaMemcpyDeviceToDevice, stream));
  DURING(global, cudaMemcpy2DAsync(values, 16, more, 16, 8, 2, cudaMemcpyDeviceToDevice, stream));
  DURING(global, (store<<<1, 2000, 0, stream>>>(values), cudaSuccess));
  DURING(global, cudaStreamCreate(&another));
}

void Events() {
  const auto global = cudaStreamCaptureModeGlobal;
  SHOW(cudaStreamBeginCapture(nullptr, global));
  SHOW(cudaStreamBeginCapture(stream, static_cast<cudaStreamCaptureMode>(9)));
  SHOW(cudaStreamEndCapture(stream, &graph));
  DURING(global, cudaStreamBeginCapture(stream, global));
  DURING(global, cudaStreamAddCallback(stream, Callback, nullptr, 0));
  cudaEventRecord(event, other);
  cudaDeviceSynchronize();
  DURING(global, cudaEventQuery(event));
  DURING(global, cudaEventSynchronize(event));
  DURING(global, cudaStreamWaitEvent(stream, event, 0));
  DURING(global, cudaStreamWaitEvent(stream, never, 0));
  DURING(global, cudaStreamWaitEvent(other, event, 0));
  DURING(global, (cudaEventRecord(event, stream), cudaEventQuery(event)));
  DURING(global, (cudaEventRecord(event, stream), cudaEventSynchronize(event)));
  DURING(global, (cudaEventRecord(event, stream), cudaStreamWaitEvent(nullptr, event, 0)));
  DURING(global, (cudaEventRecord(event, stream), cudaStreamWaitEvent(other, event, 0)));
  DURING(global, (cudaEventRecord(event, stream), cudaStreamWaitEvent(other, event, 0),
                  store<<<1, 1, 0, other>>>(values), cudaSuccess));
  SHOW(cudaEventQuery(event));
  SHOW(cudaStreamIsCapturing(other, &status));
  std::printf("status %d\n", status);
  cudaStreamBeginCapture(stream, global);
  cudaStreamBeginCapture(other, global);
  cudaEventRecord(event, stream);
  SHOW(cudaStreamWaitEvent(other, event, 0));
  SHOW(cudaStreamEndCapture(stream, &graph));
  SHOW(cudaStreamEndCapture(other, &graph));
  cudaStreamBeginCapture(stream, global);
  cudaEventRecord(event, stream);
  cudaStreamWaitEvent(other, event, 0);
  SHOW(cudaStreamEndCapture(other, &graph));
  SHOW(cudaStreamEndCapture(stream, &graph));
}

#if CUDART_VERSION >= 13000
void WrongGraphs() {
  cudaGraph_t second;
  cudaGraphExec_t ready;
  cudaGraphNode_t a, b, c, foreign;
  SHOW(cudaGraphCreate(&graph, 1));
  cudaGraphCreate(&graph, 0);
  cudaGraphCreate(&second, 0);
  cudaGraphAddEmptyNode(&a, graph, nullptr, 0);
  cudaGraphAddEmptyNode(&foreign, second, nullptr, 0);
  SHOW(cudaGraphAddEmptyNode(&b, graph, &foreign, 1));
  SHOW(cudaGraphAddEmptyNode(&b, graph, &a, 1));
  SHOW(cudaGraphAddDependencies(graph, &a, &b, nullptr, 1));
  SHOW(cudaGraphAddDependencies(graph, &a, &a, nullptr, 1));
  SHOW(cudaGraphAddDependencies(graph, &b, &a, nullptr, 1));
  SHOW(cudaGraphInstantiate(&ready, graph, 0));
  SHOW(cudaGraphRemoveDependencies(graph, &b, &a, nullptr, 1));
  SHOW(cudaGraphRemoveDependencies(graph, &b, &a, nullptr, 1));
  SHOW(cudaGraphInstantiate(&ready, graph, 99));
  SHOW(cudaGraphInstantiate(&ready, graph, 0));
  SHOW(cudaGraphLaunch(ready, nullptr));
  SHOW(cudaGraphLaunch(nullptr, stream));
  void* arguments[] = {&values};
  cudaKernelNodeParams kernel = {reinterpret_cast<void*>(store), 1, 1, 0, arguments, nullptr};
  cudaGraphNode_t twice[] = {a, a};
  SHOW(cudaGraphAddKernelNode(&c, graph, twice, 2, &kernel));
  SHOW(cudaGraphAddKernelNode(&c, graph, &a, 1, &kernel));
  kernel.blockDim.x = 2000;
  SHOW(cudaGraphAddKernelNode(&b, graph, nullptr, 0, &kernel));
  kernel.func = reinterpret_cast<void*>(NoKernel);
  kernel.blockDim.x = 1;
  SHOW(cudaGraphAddKernelNode(&b, graph, nullptr, 0, &kernel));
  kernel.func = nullptr;
  SHOW(cudaGraphAddKernelNode(&b, graph, nullptr, 0, &kernel));
  cudaMemsetParams fill = {values, 0, 1, 3, 4, 1};
  SHOW(cudaGraphAddMemsetNode(&b, graph, nullptr, 0, &fill));
  fill.elementSize = 4;
  fill.width = 0;
  SHOW(cudaGraphAddMemsetNode(&b, graph, nullptr, 0, &fill));
  cudaHostNodeParams function = {nullptr, nullptr};
  SHOW(cudaGraphAddHostNode(&b, graph, nullptr, 0, &function));
  SHOW(cudaGraphAddMemcpyNode1D(&b, graph, nullptr, 0, values, nullptr, 16, cudaMemcpyDeviceToDevice));
  SHOW(cudaGraphAddMemcpyNode1D(&b, graph, nullptr, 0, values, values + 9, 0, cudaMemcpyDeviceToDevice));
  cudaGraphExecUpdateResultInfo info;
  SHOW(cudaGraphExecUpdate(ready, graph, &info));
  std::printf("result %d\n", info.result);
  SHOW(cudaGraphExecUpdate(ready, second, &info));
  std::printf("result %d\n", info.result);
  SHOW(cudaGraphExecKernelNodeSetParams(ready, c, &kernel));
}
#endif

}  // namespace

int main() {
  cudaMalloc(&values, 999);
  cudaMalloc(&more, 999);
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
  cudaStreamCreate(&blocking);
  cudaEventCreate(&event);
  cudaEventCreate(&never);
  Events();
  Calls();
  stream = blocking;
  std::printf("a blocking stream\n");
  Calls();
#if CUDART_VERSION >= 13000
  WrongGraphs();
#endif
  return 0;
}
