// SPDX-License-Identifier: Apache-2.0
// cudaGraphAddNode, which adds a node of any type. Its parameters differ between CUDA 12 and 13.
#include <algorithm>

#include "grader/runtime/cuda_abi.h"
#include "grader/runtime/graph_conditions.h"
#include "grader/runtime/graph_model.h"

using namespace warplings;
using namespace warplings::runtime;

// Those of one type each (graphs.cc, graph_memory.cc).
#define WARPLINGS_IMPORT extern "C" int
WARPLINGS_IMPORT cudaGraphAddEmptyNode(void**, void*, void* const*, std::size_t);
WARPLINGS_IMPORT cudaGraphAddKernelNode(void**, void*, void* const*, std::size_t, const KernelParameters*);
WARPLINGS_IMPORT cudaGraphAddMemcpyNode(void**, void*, void* const*, std::size_t, const Copy3D*);
WARPLINGS_IMPORT cudaGraphAddMemsetNode(void**, void*, void* const*, std::size_t, const FillParameters*);
WARPLINGS_IMPORT cudaGraphAddHostNode(void**, void*, void* const*, std::size_t, const HostParameters*);
WARPLINGS_IMPORT cudaGraphAddChildGraphNode(void**, void*, void* const*, std::size_t, void*);
WARPLINGS_IMPORT cudaGraphAddEventRecordNode(void**, void*, void* const*, std::size_t, void*);
WARPLINGS_IMPORT cudaGraphAddEventWaitNode(void**, void*, void* const*, std::size_t, void*);
WARPLINGS_IMPORT cudaGraphAddMemAllocNode(void**, void*, void* const*, std::size_t, AllocationParameters*);
WARPLINGS_IMPORT cudaGraphAddMemFreeNode(void**, void*, void* const*, std::size_t, void*);

namespace {

const Refused kUnsupported{CudaError::kNotSupported, protocol::Refusal::kUnsupportedCall};

/// cudaGraphNodeType.
enum NodeType : int {
  kKernel,
  kCopy,
  kFill,
  kHost,
  kChild,
  kEmpty,
  kWaitEvent,
  kRecordEvent,
  kSignalSemaphore,
  kWaitSemaphore,
  kAllocation,
  kFree,
  kConditional = 13
};

int AddConditional(void** node, void* handle, void* const* before, std::size_t count,
                   ConditionalParameters& parameters) {
  return Forward("cudaGraphAddNode", [&](Runtime& runtime) -> Outcome {
    Graphs& graphs = Graphs::Get();
    const auto graph = graphs.ToGraph(runtime, handle);
    if (!graph || node == nullptr) return CudaError::kInvalidValue;
    auto nodes = graphs.ToNodes(runtime, *graph, before, count);
    if (!nodes) return CudaError::kInvalidValue;
    NodeWork work = EmptyWork{};
    if (Outcome made = MakeConditional(*graph, parameters, work); !made.ok()) return made;
    auto added = graphs.Add(*graph, std::move(*nodes), std::move(work), runtime.device().device_in_use());
    if (!added) return added.error();
    *node = Graphs::NodeHandle(*added);
    auto& conditional = std::get<ConditionalWork>(graphs.FindNode(*added)->work);
    conditional.condition->is_used = true;
    parameters.bodies = conditional.handles.data();
    return {};
  });
}

int Refuse(const Outcome& outcome) {
  return Forward("cudaGraphAddNode", [&](Runtime&) { return outcome; });
}

int AddOfAnyType(void** node, void* graph, void* const* before, const EdgeData* edges, std::size_t count,
                 NodeParameters* parameters) {
  if (parameters == nullptr || parameters->end != 0 ||
      std::ranges::any_of(parameters->reserved, [](int word) { return word != 0; }))
    return Refuse(CudaError::kInvalidValue);
  if (!IsPlain(edges, count)) return Refuse(kUnsupported);
  switch (parameters->type) {
    case kKernel: return cudaGraphAddKernelNode(node, graph, before, count, &parameters->kernel);
    case kCopy: return cudaGraphAddMemcpyNode(node, graph, before, count, &parameters->copy.copy);
    case kFill: return cudaGraphAddMemsetNode(node, graph, before, count, &parameters->fill);
    case kHost: return cudaGraphAddHostNode(node, graph, before, count, &parameters->host);
    case kChild: return cudaGraphAddChildGraphNode(node, graph, before, count, parameters->child.graph);
    case kEmpty: return cudaGraphAddEmptyNode(node, graph, before, count);
    case kWaitEvent: return cudaGraphAddEventWaitNode(node, graph, before, count, parameters->event);
    case kRecordEvent: return cudaGraphAddEventRecordNode(node, graph, before, count, parameters->event);
    case kAllocation: return cudaGraphAddMemAllocNode(node, graph, before, count, &parameters->allocation);
    case kFree: return cudaGraphAddMemFreeNode(node, graph, before, count, parameters->freed);
    case kConditional: return AddConditional(node, graph, before, count, parameters->conditional);
    case kSignalSemaphore:
    case kWaitSemaphore: return Refuse(kUnsupported);
    default: return Refuse(CudaError::kInvalidValue);
  }
}

}  // namespace

#if WARPLINGS_CUDA_MAJOR >= 13
WARPLINGS_API int cudaGraphAddNode(void** node, void* graph, void* const* before, const EdgeData* edges,
                                   std::size_t count, NodeParameters* parameters) {
  return AddOfAnyType(node, graph, before, edges, count, parameters);
}
#else
WARPLINGS_API int cudaGraphAddNode(void** node, void* graph, void* const* before, std::size_t count,
                                   NodeParameters* parameters) {
  return AddOfAnyType(node, graph, before, nullptr, count, parameters);
}
WARPLINGS_API int cudaGraphAddNode_v2(void** node, void* graph, void* const* before, const EdgeData* edges,
                                      std::size_t count, NodeParameters* parameters) {
  return AddOfAnyType(node, graph, before, edges, count, parameters);
}
#endif
