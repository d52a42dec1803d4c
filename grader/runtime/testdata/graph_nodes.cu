// SPDX-License-Identifier: Apache-2.0
// Prints what calls about graphs' memory nodes and conditional nodes return, right and wrong ones, and what the
// graphs do. graph_nodes.expected is what an H200 with CUDA 13.0 printed.
#include <cstdio>
#include <cstring>

#if CUDART_VERSION < 13000
// Calls have other parameters there.
int main() {}
#else

namespace {

cudaStream_t stream, other;

__global__ void set(cudaGraphConditionalHandle handle, unsigned value) {
  cudaGraphSetConditional(handle, value);
}
__global__ void count_down(int* left, cudaGraphConditionalHandle handle) {
  const int now = --*left;
  printf("left %d\n", now);
  cudaGraphSetConditional(handle, now > 0);
}
__global__ void say(int what) {
  printf("say %d\n", what);
}

void Show(const char* call, cudaError_t returned) {
  std::printf("%s: %d, last error %d\n", call, returned, cudaGetLastError());
}
#define SHOW(call) Show(#call, call)

void Footprint(const char* when) {
  unsigned long long values[4] = {};
  for (int i = 0; i < 4; ++i)
    cudaDeviceGetGraphMemAttribute(0, static_cast<cudaGraphMemAttributeType>(i), &values[i]);
  std::printf("  %s: used %llu, high %llu, reserved %llu, high %llu\n", when, values[0], values[1], values[2],
              values[3]);
}

cudaMemAllocNodeParams Wanted(std::size_t bytes) {
  cudaMemAllocNodeParams wanted;
  std::memset(&wanted, 0, sizeof wanted);
  wanted.bytesize = bytes;
  wanted.poolProps.allocType = cudaMemAllocationTypePinned;
  wanted.poolProps.location.type = cudaMemLocationTypeDevice;
  return wanted;
}

/// A graph that allocates and does not free.
void Unfreed() {
  cudaGraph_t graph, freeing, clone;
  cudaGraphExec_t ready, second, frees;
  cudaGraphNode_t node, more;
  auto wanted = Wanted(1 << 20);
  int* plain;
  cudaMalloc(&plain, 64);
  cudaGraphCreate(&graph, 0);
  cudaGraphCreate(&freeing, 0);
  Footprint("at first");
  SHOW(cudaGraphAddMemAllocNode(&node, graph, nullptr, 0, &wanted));
  auto wrong = Wanted(0);
  SHOW(cudaGraphAddMemAllocNode(&more, freeing, nullptr, 0, &wrong));
  wrong = Wanted(64);
  wrong.poolProps.location.id = 9;
  SHOW(cudaGraphAddMemAllocNode(&more, freeing, nullptr, 0, &wrong));
  wrong = Wanted(64);
  wrong.poolProps.allocType = static_cast<cudaMemAllocationType>(0);
  SHOW(cudaGraphAddMemAllocNode(&more, freeing, nullptr, 0, &wrong));
  wrong = Wanted(1ull << 50);
  SHOW(cudaGraphAddMemAllocNode(&more, freeing, nullptr, 0, &wrong));
  SHOW(cudaGraphAddMemAllocNode(&more, freeing, nullptr, 0, nullptr));
  cudaMemAllocNodeParams told;
  cudaGraphNodeType type;
  SHOW(cudaGraphMemAllocNodeGetParams(node, &told));
  SHOW(cudaGraphNodeGetType(node, &type));
  std::printf("  same %d, %d bytes, type %d\n", told.dptr == wanted.dptr, static_cast<int>(told.bytesize), type);

  cudaPointerAttributes attributes = {};
  SHOW(cudaMemset(wanted.dptr, 0, 4));
  SHOW(cudaPointerGetAttributes(&attributes, wanted.dptr));
  std::printf("  type %d\n", attributes.type);
  SHOW(cudaFree(wanted.dptr));
  SHOW(cudaFreeAsync(wanted.dptr, stream));
  SHOW(cudaGraphAddMemFreeNode(&more, freeing, nullptr, 0, plain));
  SHOW(cudaGraphAddMemFreeNode(&more, freeing, nullptr, 0, nullptr));
  SHOW(cudaGraphAddMemFreeNode(&more, freeing, nullptr, 0, static_cast<char*>(wanted.dptr) + 4));
  SHOW(cudaGraphClone(&clone, graph));
  SHOW(cudaGraphAddChildGraphNode(&more, freeing, nullptr, 0, graph));
  SHOW(cudaGraphInstantiate(&ready, graph, 0));
  SHOW(cudaGraphInstantiate(&second, graph, 0));
  Footprint("ready");

  SHOW(cudaGraphLaunch(ready, stream));
  SHOW(cudaStreamSynchronize(stream));
  Footprint("launched");
  SHOW(cudaGraphLaunch(ready, stream));
  SHOW(cudaMemset(wanted.dptr, 0, 4));
  SHOW(cudaPointerGetAttributes(&attributes, wanted.dptr));
  std::printf("  type %d\n", attributes.type);
  SHOW(cudaGraphExecDestroy(ready));
  SHOW(cudaMemset(wanted.dptr, 0, 4));
  SHOW(cudaFree(wanted.dptr));
  Footprint("freed");
  SHOW(cudaDeviceGraphMemTrim(0));
  Footprint("trimmed");
  SHOW(cudaFree(wanted.dptr));

  SHOW(cudaGraphAddMemFreeNode(&more, freeing, nullptr, 0, wanted.dptr));
  SHOW(cudaGraphAddMemFreeNode(&more, freeing, nullptr, 0, wanted.dptr));
  SHOW(cudaGraphAddMemFreeNode(&more, graph, &node, 1, wanted.dptr));
  SHOW(cudaGraphInstantiate(&frees, freeing, 0));
  SHOW(cudaGraphLaunch(frees, stream));
  SHOW(cudaGraphInstantiate(&ready, graph, 0));
  SHOW(cudaGraphLaunch(ready, stream));
  SHOW(cudaGraphLaunch(frees, stream));
  SHOW(cudaGraphLaunch(ready, stream));
  SHOW(cudaGraphLaunch(frees, stream));
  SHOW(cudaGraphLaunch(frees, stream));
  SHOW(cudaStreamSynchronize(stream));
  SHOW(cudaGraphDestroyNode(node));
  cudaGraphExecUpdateResultInfo info;
  SHOW(cudaGraphExecUpdate(ready, graph, &info));
  std::printf("  update %d\n", info.result);
  SHOW(cudaGraphExecDestroy(ready));
  SHOW(cudaGraphExecDestroy(frees));
  SHOW(cudaGraphInstantiate(&ready, graph, cudaGraphInstantiateFlagAutoFreeOnLaunch));
  SHOW(cudaGraphLaunch(ready, stream));
  SHOW(cudaGraphLaunch(ready, stream));
  SHOW(cudaStreamSynchronize(stream));
  Footprint("freed by launches");
  SHOW(cudaGraphExecDestroy(ready));
  SHOW(cudaGraphDestroy(graph));
  SHOW(cudaMemset(wanted.dptr, 0, 4));
  SHOW(cudaFreeAsync(wanted.dptr, stream));
  SHOW(cudaStreamSynchronize(stream));
  SHOW(cudaDeviceGraphMemTrim(0));
  Footprint("all freed");
}

/// A graph that frees what it allocates.
void Freed() {
  cudaGraph_t graph, another;
  cudaGraphExec_t ready;
  cudaGraphNode_t node, frees, more;
  auto wanted = Wanted(100);
  cudaGraphCreate(&graph, 0);
  cudaGraphCreate(&another, 0);
  cudaGraphAddMemAllocNode(&node, graph, nullptr, 0, &wanted);
  SHOW(cudaGraphAddMemFreeNode(&frees, graph, &node, 1, wanted.dptr));
  SHOW(cudaGraphAddMemFreeNode(&more, graph, &node, 1, wanted.dptr));
  SHOW(cudaGraphAddMemFreeNode(&more, another, nullptr, 0, wanted.dptr));
  void* told = nullptr;
  SHOW(cudaGraphMemFreeNodeGetParams(frees, &told));
  std::printf("  same %d\n", told == wanted.dptr);
  SHOW(cudaGraphInstantiate(&ready, graph, 0));
  SHOW(cudaGraphLaunch(ready, stream));
  SHOW(cudaGraphLaunch(ready, stream));
  SHOW(cudaStreamSynchronize(stream));
  Footprint("100 bytes");
  SHOW(cudaMemset(wanted.dptr, 0, 4));
  SHOW(cudaFree(wanted.dptr));
  unsigned long long value = 5;
  SHOW(cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrUsedMemHigh, &value));
  value = 0;
  SHOW(cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrUsedMemHigh, &value));
  SHOW(cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent, &value));
  SHOW(cudaDeviceGetGraphMemAttribute(0, static_cast<cudaGraphMemAttributeType>(7), &value));
  SHOW(cudaDeviceGetGraphMemAttribute(9, cudaGraphMemAttrUsedMemHigh, &value));
  SHOW(cudaDeviceGraphMemTrim(9));
  SHOW(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrUsedMemHigh, nullptr));
  Footprint("set back");
}

void End() {
  cudaGraph_t graph = nullptr;
  cudaStreamCaptureStatus status;
  std::size_t nodes = 0;
  cudaStreamIsCapturing(stream, &status);
  const cudaError_t ended = cudaStreamEndCapture(stream, &graph);
  if (graph != nullptr) cudaGraphGetNodes(graph, nullptr, &nodes);
  std::printf("  status %d, end %d, %d nodes\n", status, ended, static_cast<int>(nodes));
  cudaGetLastError();
}
void Begin() {
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
}

void Captured() {
  int *pointer = nullptr, *plain, *in_stream;
  cudaMemPool_t pool;
  cudaMalloc(&plain, 64);
  cudaMallocAsync(&in_stream, 64, stream);
  cudaDeviceGetDefaultMemPool(&pool, 0);
  Begin();
  SHOW(cudaMallocAsync(&pointer, 64, stream));
  SHOW(cudaFreeAsync(pointer, stream));
  SHOW(cudaFreeAsync(pointer, stream));
  End();
  Begin();
  SHOW(cudaMallocAsync(&pointer, 64, stream));
  SHOW(cudaFreeAsync(plain, stream));
  End();
  Begin();
  SHOW(cudaFreeAsync(in_stream, stream));
  End();
  Begin();
  SHOW(cudaFreeAsync(nullptr, stream));
  SHOW(cudaMallocAsync(&pointer, 0, stream));
  End();
  Begin();
  SHOW(cudaMallocFromPoolAsync(&pointer, 64, pool, stream));
  End();
  Begin();
  SHOW(cudaMallocAsync(&pointer, 64, stream));
  SHOW(cudaMallocAsync(&pointer, 64, other));
  End();
}

cudaGraphNode_t AddConditional(cudaGraph_t graph, cudaGraphConditionalHandle handle,
                               cudaGraphConditionalNodeType type, unsigned size, cudaGraph_t* bodies) {
  cudaGraphNodeParams wanted = {cudaGraphNodeTypeConditional};
  wanted.conditional.handle = handle;
  wanted.conditional.type = type;
  wanted.conditional.size = size;
  cudaGraphNode_t node = nullptr;
  const cudaError_t error = cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &wanted);
  std::printf("  conditional node of type %d, size %u: %d\n", type, size, error);
  cudaGetLastError();
  for (unsigned i = 0; i < size && error == cudaSuccess; ++i) bodies[i] = wanted.conditional.phGraph_out[i];
  return node;
}

void AddKernel(cudaGraph_t graph, void* kernel, void** arguments, cudaGraphNode_t* before = nullptr) {
  cudaGraphNode_t node;
  cudaGraphNodeParams wanted = {cudaGraphNodeTypeKernel};
  wanted.kernel.func = kernel;
  wanted.kernel.gridDim.x = wanted.kernel.gridDim.y = wanted.kernel.gridDim.z = 1;
  wanted.kernel.blockDim = wanted.kernel.gridDim;
  wanted.kernel.kernelParams = arguments;
  SHOW(cudaGraphAddNode(&node, graph, before, nullptr, before != nullptr, &wanted));
}

void WrongConditions() {
  cudaGraph_t graph, body, bodies[4];
  cudaGraphExec_t ready;
  cudaGraphNode_t node;
  cudaGraphConditionalHandle handle;
  cudaEvent_t event;
  cudaEventCreate(&event);
  cudaGraphCreate(&graph, 0);
  SHOW(cudaGraphConditionalHandleCreate(nullptr, graph, 0, 0));
  SHOW(cudaGraphConditionalHandleCreate(&handle, graph, 0, 2));
  SHOW(cudaGraphConditionalHandleCreate(&handle, nullptr, 0, 0));
  SHOW(cudaGraphConditionalHandleCreate(&handle, graph, 1, cudaGraphCondAssignDefault));
  SHOW(cudaGraphInstantiate(&ready, graph, 0));
  AddConditional(graph, handle, cudaGraphCondTypeWhile, 0, bodies);
  AddConditional(graph, handle, cudaGraphCondTypeWhile, 2, bodies);
  AddConditional(graph, handle, cudaGraphCondTypeIf, 3, bodies);
  AddConditional(graph, handle, cudaGraphCondTypeSwitch, 0, bodies);
  AddConditional(graph, handle, static_cast<cudaGraphConditionalNodeType>(3), 1, bodies);
  AddConditional(graph, 0, cudaGraphCondTypeIf, 1, bodies);
  AddConditional(graph, 12345, cudaGraphCondTypeIf, 1, bodies);
  AddConditional(graph, handle, cudaGraphCondTypeWhile, 1, &body);
  AddConditional(graph, handle, cudaGraphCondTypeIf, 1, bodies);
  SHOW(cudaGraphAddEventRecordNode(&node, body, nullptr, 0, event));
  SHOW(cudaGraphAddEmptyNode(&node, body, nullptr, 0));
  SHOW(cudaGraphDestroy(body));
  SHOW(cudaGraphInstantiate(&ready, body, 0));
  SHOW(cudaGraphInstantiate(&ready, graph, 0));

  cudaGraphNodeParams wanted = {cudaGraphNodeTypeEmpty};
  wanted.reserved2 = 7;
  SHOW(cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &wanted));
  wanted.reserved2 = 0;
  wanted.type = static_cast<cudaGraphNodeType>(77);
  SHOW(cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &wanted));
  SHOW(cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, nullptr));
}

void Loop() {
  cudaGraph_t graph, body, clone, parent;
  cudaGraphExec_t ready, second;
  cudaGraphNode_t node, child;
  cudaGraphConditionalHandle handle;
  int *left, start = 3;
  cudaMalloc(&left, sizeof start);
  cudaMemcpy(left, &start, sizeof start, cudaMemcpyHostToDevice);
  cudaGraphCreate(&graph, 0);
  SHOW(cudaGraphConditionalHandleCreate(&handle, graph, 1, cudaGraphCondAssignDefault));
  node = AddConditional(graph, handle, cudaGraphCondTypeWhile, 1, &body);
  void* arguments[] = {&left, &handle};
  AddKernel(body, reinterpret_cast<void*>(count_down), arguments);
  SHOW(cudaGraphClone(&clone, graph));
  cudaGraphCreate(&parent, 0);
  SHOW(cudaGraphAddChildGraphNode(&child, parent, nullptr, 0, graph));
  SHOW(cudaGraphInstantiate(&ready, graph, 0));
  SHOW(cudaGraphInstantiate(&second, graph, 0));
  for (; start > 0; --start) {
    cudaMemcpy(left, &start, sizeof start, cudaMemcpyHostToDevice);
    SHOW(cudaGraphLaunch(ready, stream));
    SHOW(cudaStreamSynchronize(stream));
  }
  cudaGraphExecUpdateResultInfo info;
  SHOW(cudaGraphExecUpdate(ready, graph, &info));
  std::printf("  update %d\n", info.result);
  SHOW(cudaGraphDestroyNode(node));
  SHOW(cudaGraphExecDestroy(ready));
  SHOW(cudaGraphDestroy(graph));
  cudaFree(left);
}

/// A switch whose condition is set after it, for the next launch: with `flags` 1, each launch has the default.
void Switch(unsigned flags) {
  cudaGraph_t graph, bodies[3];
  cudaGraphExec_t ready;
  cudaGraphConditionalHandle handle;
  unsigned value = 1;
  int what;
  cudaGraphCreate(&graph, 0);
  SHOW(cudaGraphConditionalHandleCreate(&handle, graph, 2, flags));
  cudaGraphNode_t node = AddConditional(graph, handle, cudaGraphCondTypeSwitch, 3, bodies);
  void* to_say[] = {&what};
  for (what = 0; what < 3; ++what) AddKernel(bodies[what], reinterpret_cast<void*>(say), to_say);
  void* to_set[] = {&handle, &value};
  AddKernel(graph, reinterpret_cast<void*>(set), to_set, &node);
  SHOW(cudaGraphInstantiate(&ready, graph, 0));
  for (int i = 0; i < 3; ++i) {
    SHOW(cudaGraphLaunch(ready, stream));
    SHOW(cudaStreamSynchronize(stream));
  }
  SHOW(cudaGraphExecDestroy(ready));
  SHOW(cudaGraphDestroy(graph));
}

void CapturedToGraph() {
  cudaGraph_t graph, captured = nullptr;
  cudaGraphNode_t node;
  cudaStreamCaptureStatus status;
  cudaGraphCreate(&graph, 0);
  cudaGraphAddEmptyNode(&node, graph, nullptr, 0);
  SHOW(cudaStreamBeginCaptureToGraph(stream, graph, &node, nullptr, 1, cudaStreamCaptureModeGlobal));
  say<<<1, 1, 0, stream>>>(9);
  SHOW(cudaStreamUpdateCaptureDependencies(stream, nullptr, nullptr, 0, cudaStreamSetCaptureDependencies));
  SHOW(cudaStreamUpdateCaptureDependencies(stream, nullptr, nullptr, 0, 5));
  SHOW(cudaStreamUpdateCaptureDependencies(other, nullptr, nullptr, 0, 0));
  SHOW(cudaGraphDestroy(graph));
  SHOW(cudaStreamEndCapture(stream, &captured));
  std::printf("  same %d\n", captured == graph);
  Begin();
  SHOW(cudaStreamEndCapture(stream, nullptr));
  cudaStreamIsCapturing(stream, &status);
  std::printf("  status %d\n", status);
}

}  // namespace

int main() {
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
  Unfreed();
  Freed();
  Captured();
  WrongConditions();
  Loop();
  Switch(0);
  Switch(cudaGraphCondAssignDefault);
  CapturedToGraph();
  return 0;
}

#endif
