// SPDX-License-Identifier: Apache-2.0
// What graphs compute, captured and built by hand; their limits, and handles that are none. Prints one line
// for each expectation that does not hold, and at the end "right".
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <thread>
#include <vector>

#include "expect.h"

namespace {

#if CUDART_VERSION >= 13000
#define ADD_EDGES(graph, from, to, count) cudaGraphAddDependencies(graph, from, to, nullptr, count)
#define GET_EDGES(graph, from, to, count) cudaGraphGetEdges(graph, from, to, nullptr, count)
#else
#define ADD_EDGES(graph, from, to, count) cudaGraphAddDependencies(graph, from, to, count)
#define GET_EDGES(graph, from, to, count) cudaGraphGetEdges(graph, from, to, count)
#endif

__global__ void add(int* values, int by) {
  values[threadIdx.x] += by;
}
__global__ void multiply(int* values, int by) {
  values[threadIdx.x] *= by;
}
void CUDART_CB Count(void* counter) {
  ++*static_cast<int*>(counter);
}

constexpr int kCount = 32;
const auto kGlobal = cudaStreamCaptureModeGlobal;
int *values, *more;
cudaStream_t stream, other, blocking;
cudaEvent_t event, second;

bool Hold(int* device, int wanted) {
  int out[kCount];
  OK(cudaMemcpy(out, device, sizeof out, cudaMemcpyDeviceToHost));
  for (int each : out) {
    if (each == wanted) continue;
    std::printf("%d, not %d\n", each, wanted);
    return false;
  }
  return true;
}
void Set(int to) {
  std::vector<int> in(kCount, to);
  OK(cudaMemcpy(values, in.data(), kCount * sizeof(int), cudaMemcpyHostToDevice));
}
std::size_t Nodes(cudaGraph_t graph) {
  std::size_t nodes = 0;
  OK(cudaGraphGetNodes(graph, nullptr, &nodes));
  return nodes;
}

void Chain() {
  int counted = 0, host[kCount];
  cudaGraph_t graph;
  cudaGraphExec_t ready;
  Set(1);
  OK(cudaStreamBeginCapture(stream, kGlobal));
  add<<<1, kCount, 0, stream>>>(values, 2);
  multiply<<<1, kCount, 0, stream>>>(values, 3);
  OK(cudaMemcpyAsync(more, values, kCount * sizeof(int), cudaMemcpyDeviceToDevice, stream));
  OK(cudaLaunchHostFunc(stream, Count, &counted));
  OK(cudaMemcpyAsync(host, values, sizeof host, cudaMemcpyDeviceToHost, stream));
  OK(cudaMemsetAsync(values + 1, 0, 0, stream));
  OK(cudaStreamEndCapture(stream, &graph));
  EXPECT(Nodes(graph) == 5);
  EXPECT(Hold(values, 1) && counted == 0);
  OK(cudaGraphInstantiate(&ready, graph, 0));
  OK(cudaGraphDestroy(graph));
  FAILS(cudaGraphDestroy(graph), cudaErrorInvalidValue);
  OK(cudaGraphUpload(ready, stream));
  OK(cudaGraphLaunch(ready, stream));
  OK(cudaGraphLaunch(ready, blocking));
  OK(cudaGraphLaunch(ready, nullptr));
  OK(cudaDeviceSynchronize());
  EXPECT(Hold(values, 105) && Hold(more, 105) && host[5] == 105);
  EXPECT(counted == 3);
  OK(cudaGraphLaunch(ready, stream));
  OK(cudaGraphExecDestroy(ready));
  FAILS(cudaGraphExecDestroy(ready), cudaErrorInvalidValue);
  OK(cudaDeviceSynchronize());
  EXPECT(Hold(values, 321) && counted == 4);
}

void ForkAndJoin(cudaStream_t launched_in) {
  cudaGraph_t graph;
  cudaGraphExec_t ready;
  cudaStreamCaptureStatus status;
  Set(1);
  OK(cudaStreamBeginCapture(stream, kGlobal));
  add<<<1, kCount, 0, stream>>>(values, 2);
  OK(cudaEventRecord(event, stream));
  OK(cudaStreamWaitEvent(other, event, 0));
  OK(cudaStreamIsCapturing(other, &status));
  EXPECT(status == cudaStreamCaptureStatusActive);
  add<<<1, kCount / 2, 0, stream>>>(values, 20);
  add<<<1, kCount / 2, 0, other>>>(values + kCount / 2, 20);
  OK(cudaEventRecord(second, other));
  OK(cudaStreamWaitEvent(stream, second, 0));
  multiply<<<1, kCount, 0, stream>>>(values, 2);
  OK(cudaStreamEndCapture(stream, &graph));
  OK(cudaStreamIsCapturing(other, &status));
  EXPECT(status == cudaStreamCaptureStatusNone);
  std::size_t edges = 0;
  OK(GET_EDGES(graph, nullptr, nullptr, &edges));
  EXPECT(Nodes(graph) == 4 && edges == 4);
  OK(cudaGraphInstantiate(&ready, graph, 0));
  for (int i = 0; i < 3; ++i) OK(cudaGraphLaunch(ready, launched_in));
  OK(cudaStreamSynchronize(launched_in));
  EXPECT(Hold(values, (((1 + 22) * 2 + 22) * 2 + 22) * 2));
  OK(cudaGraphExecDestroy(ready));
  OK(cudaGraphDestroy(graph));
}

void ByHand() {
  int counted = 0, by = 5;
  cudaGraph_t graph, parent;
  cudaGraphExec_t ready;
  cudaGraphNode_t a, b, c, d, e, child;
  OK(cudaGraphCreate(&graph, 0));
  OK(cudaGraphAddEmptyNode(&a, graph, nullptr, 0));
  void* arguments[] = {&values, &by};
  cudaKernelNodeParams kernel = {};
  kernel.func = reinterpret_cast<void*>(add);
  kernel.gridDim = dim3(1);
  kernel.blockDim = dim3(kCount);
  kernel.kernelParams = arguments;
  OK(cudaGraphAddKernelNode(&b, graph, &a, 1, &kernel));
  by = 2;
  kernel.func = reinterpret_cast<void*>(multiply);
  OK(cudaGraphAddKernelNode(&c, graph, nullptr, 0, &kernel));
  OK(ADD_EDGES(graph, &b, &c, 1));
  cudaHostNodeParams host = {Count, &counted};
  OK(cudaGraphAddHostNode(&d, graph, &c, 1, &host));
  cudaMemsetParams fill = {};
  fill.dst = more;
  fill.elementSize = 4;
  fill.value = 0x01020304;
  fill.width = kCount;
  fill.height = 1;
  OK(cudaGraphAddMemsetNode(&e, graph, nullptr, 0, &fill));
  cudaGraphNode_t two[] = {d, e};
  OK(cudaGraphAddMemcpyNode1D(&d, graph, two, 2, more, values, 16 * sizeof(int), cudaMemcpyDeviceToDevice));
  cudaGraphNodeType type;
  OK(cudaGraphNodeGetType(d, &type));
  EXPECT(type == cudaGraphNodeTypeMemcpy);
  OK(cudaGraphNodeGetType(a, &type));
  EXPECT(type == cudaGraphNodeTypeEmpty);
  cudaGraphNode_t nodes[8];
  std::size_t count = 8;
  OK(cudaGraphGetNodes(graph, nodes, &count));
  EXPECT(count == 6 && nodes[0] == a && nodes[5] == d && nodes[7] == nullptr);
  OK(cudaGraphGetRootNodes(graph, nullptr, &count));
  EXPECT(count == 2);

  Set(1);
  OK(cudaGraphInstantiate(&ready, graph, 0));
  OK(cudaGraphLaunch(ready, stream));
  OK(cudaStreamSynchronize(stream));
  int out[kCount];
  OK(cudaMemcpy(out, more, sizeof out, cudaMemcpyDeviceToHost));
  EXPECT(Hold(values, 12) && out[15] == 12 && out[16] == 0x01020304 && counted == 1);

  by = 7;
  kernel.func = reinterpret_cast<void*>(add);
  OK(cudaGraphExecKernelNodeSetParams(ready, b, &kernel));
  FAILS(cudaGraphExecKernelNodeSetParams(ready, a, &kernel), cudaErrorInvalidValue);
  Set(1);
  OK(cudaGraphLaunch(ready, blocking));
  OK(cudaStreamSynchronize(blocking));
  EXPECT(Hold(values, 16) && counted == 2);

  by = 9;
  cudaGraphExecUpdateResultInfo info;
  OK(cudaGraphKernelNodeSetParams(b, &kernel));
  OK(cudaGraphExecUpdate(ready, graph, &info));
  EXPECT(info.result == cudaGraphExecUpdateSuccess);
  Set(1);
  OK(cudaGraphLaunch(ready, nullptr));
  EXPECT(Hold(values, 20));
  OK(cudaGraphExecDestroy(ready));

  cudaGraph_t clone;
  cudaGraphNode_t in_clone;
  OK(cudaGraphClone(&clone, graph));
  OK(cudaGraphNodeFindInClone(&in_clone, b, clone));
  EXPECT(in_clone != b);
  FAILS(cudaGraphNodeFindInClone(&in_clone, in_clone, clone), cudaErrorInvalidValue);
  OK(cudaGraphCreate(&parent, 0));
  OK(cudaGraphAddChildGraphNode(&child, parent, nullptr, 0, graph));
  OK(cudaGraphAddChildGraphNode(&child, parent, &child, 1, clone));
  OK(cudaGraphDestroy(clone));
  OK(cudaGraphDestroy(graph));
  cudaGraph_t inner;
  OK(cudaGraphChildGraphNodeGetGraph(child, &inner));
  FAILS(cudaGraphDestroy(inner), cudaErrorInvalidValue);
  FAILS(cudaGraphAddChildGraphNode(&child, parent, nullptr, 0, parent), cudaErrorInvalidValue);
  OK(cudaGraphInstantiate(&ready, parent, 0));
  Set(1);
  OK(cudaGraphLaunch(ready, stream));
  OK(cudaStreamSynchronize(stream));
  EXPECT(Hold(values, ((1 + 9) * 2 + 9) * 2));
  OK(cudaGraphExecDestroy(ready));
  OK(cudaGraphDestroy(parent));
}

void EventsAndInfo() {
  cudaGraph_t graph;
  cudaGraphExec_t ready;
  cudaGraphNode_t record, wait;
  OK(cudaGraphCreate(&graph, 0));
  OK(cudaGraphAddEventRecordNode(&record, graph, nullptr, 0, event));
  OK(cudaGraphAddEventWaitNode(&wait, graph, &record, 1, event));
  OK(cudaGraphInstantiate(&ready, graph, 0));
  OK(cudaEventRecord(event, stream));  // No longer captured.
  OK(cudaGraphLaunch(ready, stream));
  OK(cudaEventSynchronize(event));
  OK(cudaGraphExecDestroy(ready));
  OK(cudaGraphDestroy(graph));
  // Whoever captures one thing after another has one capture each.
  unsigned long long first = 0, next = 0;
  cudaStreamCaptureStatus status;
  OK(cudaStreamBeginCapture(stream, kGlobal));
  OK(cudaStreamGetCaptureInfo(stream, &status, &first));
  OK(cudaStreamEndCapture(stream, &graph));
  OK(cudaGraphInstantiate(&ready, graph, 0));
  OK(cudaGraphLaunch(ready, stream));  // An empty one.
  OK(cudaGraphExecDestroy(ready));
  OK(cudaGraphDestroy(graph));
  OK(cudaStreamBeginCapture(stream, kGlobal));
  OK(cudaStreamGetCaptureInfo(stream, &status, &next));
  EXPECT(status == cudaStreamCaptureStatusActive && next != first);
  FAILS(cudaGraphLaunch(nullptr, stream), cudaErrorInvalidValue);
  OK(cudaStreamEndCapture(stream, &graph));
  OK(cudaGraphDestroy(graph));
  unsigned flags = 9;
  OK(cudaStreamGetFlags(stream, &flags));
  EXPECT(flags == cudaStreamNonBlocking);
  OK(cudaStreamGetFlags(blocking, &flags));
  EXPECT(flags == 0);
}

/// Handles of something else, of nothing, and of what was destroyed.
void WrongHandles() {
  cudaGraph_t graph, made;
  cudaGraphExec_t ready;
  cudaGraphNode_t node, added;
  cudaGraphNodeType type;
  std::size_t count = 0;
  OK(cudaGraphCreate(&graph, 0));
  OK(cudaGraphAddEmptyNode(&node, graph, nullptr, 0));
  OK(cudaGraphInstantiate(&ready, graph, 0));
  OK(cudaGraphDestroy(graph));
  OK(cudaGraphLaunch(ready, stream));
  OK(cudaGraphExecDestroy(ready));
  for (std::uintptr_t number :
       {std::uintptr_t{0}, std::uintptr_t{1}, std::uintptr_t{0x1234567890ab},
        reinterpret_cast<std::uintptr_t>(graph), reinterpret_cast<std::uintptr_t>(node),
        reinterpret_cast<std::uintptr_t>(ready), reinterpret_cast<std::uintptr_t>(stream),
        ~std::uintptr_t{0}}) {
    void* wrong = reinterpret_cast<void*>(number);
    FAILS(cudaGraphDestroy(static_cast<cudaGraph_t>(wrong)), cudaErrorInvalidValue);
    FAILS(cudaGraphInstantiate(&ready, static_cast<cudaGraph_t>(wrong), 0), cudaErrorInvalidValue);
    FAILS(cudaGraphClone(&made, static_cast<cudaGraph_t>(wrong)), cudaErrorInvalidValue);
    FAILS(cudaGraphGetNodes(static_cast<cudaGraph_t>(wrong), nullptr, &count), cudaErrorInvalidValue);
    FAILS(cudaGraphAddEmptyNode(&added, static_cast<cudaGraph_t>(wrong), nullptr, 0), cudaErrorInvalidValue);
    FAILS(cudaGraphLaunch(static_cast<cudaGraphExec_t>(wrong), stream), cudaErrorInvalidValue);
    FAILS(cudaGraphExecDestroy(static_cast<cudaGraphExec_t>(wrong)), cudaErrorInvalidValue);
    FAILS(cudaGraphNodeGetType(static_cast<cudaGraphNode_t>(wrong), &type), cudaErrorInvalidValue);
    FAILS(cudaGraphDestroyNode(static_cast<cudaGraphNode_t>(wrong)), cudaErrorInvalidValue);
  }
  FAILS(cudaStreamBeginCapture(reinterpret_cast<cudaStream_t>(0x12345675), kGlobal),
        cudaErrorInvalidResourceHandle);
}

/// More nodes than may exist, and more branches than streams.
void Limits() {
  cudaGraph_t graph, parent;
  cudaGraphExec_t ready;
  cudaGraphNode_t node;
  OK(cudaGraphCreate(&graph, 0));
  int added = 0;
  while (added < 100000 && cudaGraphAddEmptyNode(&node, graph, nullptr, 0) == cudaSuccess) ++added;
  EXPECT(added > 10000 && added < 100000 && cudaGetLastError() == cudaErrorMemoryAllocation);
  FAILS(cudaGraphInstantiate(&ready, graph, 0), cudaErrorMemoryAllocation);
  FAILS(cudaGraphClone(&parent, graph), cudaErrorMemoryAllocation);
  OK(cudaGraphDestroy(graph));
  OK(cudaGraphCreate(&graph, 0));
  int by = 1;
  void* arguments[] = {&values, &by};
  cudaKernelNodeParams kernel = {};
  kernel.func = reinterpret_cast<void*>(add);
  kernel.gridDim = dim3(1);
  kernel.blockDim = dim3(1);
  kernel.kernelParams = arguments;
  std::vector<int*> places(200);
  std::vector<cudaGraphNode_t> all(200);
  for (int i = 0; i < 200; ++i) {
    places[i] = values + i % kCount;
    arguments[0] = &places[i];
    cudaGraphNode_t* before = i < kCount ? nullptr : &all[i - kCount];
    OK(cudaGraphAddKernelNode(&all[i], graph, before, before != nullptr, &kernel));
  }
  OK(cudaGraphInstantiate(&ready, graph, 0));
  Set(0);
  OK(cudaGraphLaunch(ready, stream));
  OK(cudaStreamSynchronize(stream));
  int out[kCount], sum = 0;
  OK(cudaMemcpy(out, values, sizeof out, cudaMemcpyDeviceToHost));
  for (int each : out) sum += each;
  EXPECT(sum == 200);
  OK(cudaGraphExecDestroy(ready));
  OK(cudaGraphDestroy(graph));
}

}  // namespace

int main() {
  OK(cudaMalloc(&values, kCount * sizeof(int)));
  OK(cudaMalloc(&more, kCount * sizeof(int)));
  OK(cudaStreamCreate(&blocking));
  OK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  OK(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
  OK(cudaEventCreate(&event));
  OK(cudaEventCreate(&second));
  Chain();
  ForkAndJoin(stream);
  ForkAndJoin(blocking);
  ForkAndJoin(nullptr);
  ByHand();
  EventsAndInfo();
  WrongHandles();
  Limits();
  if (failed == 0) std::printf("right\n");
  return failed != 0;
}
