// SPDX-License-Identifier: Apache-2.0
// The calls about graphs. What a graph is: graph_model.h; how it is launched: graph_launch.h.
#include <algorithm>

#include "grader/runtime/capture.h"
#include "grader/runtime/cuda_abi.h"
#include "grader/runtime/graph_launch.h"
#include "grader/runtime/graph_model.h"

namespace warplings::runtime {
namespace {

const Refused kNull{CudaError::kInvalidValue, protocol::Refusal::kNullPointer};
const Refused kOneInstance{CudaError::kNotSupported, protocol::Refusal::kOneInstanceOfGraph};
const Refused kBodyIsNoGraph{CudaError::kNotSupported, protocol::Refusal::kBodyInstantiated};
const Refused kReadyElsewhere{CudaError::kNotSupported, protocol::Refusal::kUpdateFromInstance};
const Refused kMemoryStays{CudaError::kNotSupported, protocol::Refusal::kNodesOfMemoryStay};
const Refused kUnsupported{CudaError::kNotSupported, protocol::Refusal::kUnsupportedCall};

/// cudaGraphInstantiateFlags: of a device's launches there are none here; the others change no result.
constexpr unsigned long long kDeviceLaunch = 4, kKnownFlags = 15;

/// Graphs that are ready to launch, by number.
struct ReadyGraphs {
  std::map<std::uint64_t, std::shared_ptr<ReadyGraph>> all;
  std::uint64_t next = 1;
};
ReadyGraphs& Ready() {
  static ReadyGraphs* const ready = new ReadyGraphs;
  return *ready;
}

/// Runs `body(runtime, graph id)`.
template <class Body>
int WithGraph(const char* call, void* handle, Body&& body) {
  return Forward(call, [&](Runtime& runtime) -> Outcome {
    const auto graph = Graphs::Get().ToGraph(runtime, handle);
    if (!graph) return CudaError::kInvalidValue;
    return body(runtime, *graph);
  });
}

template <class Body>
int WithNode(const char* call, void* handle, Body&& body) {
  return Forward(call, [&](Runtime& runtime) -> Outcome {
    const auto node = Graphs::Get().ToNode(runtime, handle);
    if (!node) return CudaError::kInvalidValue;
    return body(runtime, *node);
  });
}

/// Runs `body(runtime, shared pointer)`.
template <class Body>
int WithReady(const char* call, void* handle, Body&& body) {
  return Forward(call, [&](Runtime& runtime) -> Outcome {
    const auto known = Unpack(runtime, handle);
    const auto found =
        known && known->tag == HandleTag::kReadyGraph ? Ready().all.find(known->id) : Ready().all.end();
    if (found == Ready().all.end()) return CudaError::kInvalidValue;
    const std::shared_ptr<ReadyGraph> ready = found->second;
    return body(runtime, ready);
  });
}

/// Adds a node; `make(runtime, work)` checks and fills its work.
template <class Make>
int AddNode(const char* call, void** node, void* handle, void* const* before, std::size_t count,
            Make&& make) {
  return WithGraph(call, handle, [&](Runtime& runtime, GraphId graph) -> Outcome {
    if (node == nullptr) return kNull;
    auto nodes = Graphs::Get().ToNodes(runtime, graph, before, count);
    if (!nodes) return CudaError::kInvalidValue;
    NodeWork work = EmptyWork{};
    if (Outcome made = make(runtime, work); !made.ok()) return made;
    auto added =
        Graphs::Get().Add(graph, std::move(*nodes), std::move(work), runtime.device().device_in_use());
    if (!added) return added.error();
    *node = Graphs::NodeHandle(*added);
    return {};
  });
}

Outcome ToKernelWork(Runtime& runtime, const KernelParameters* parameters, KernelWork& work) {
  if (parameters == nullptr) return kNull;
  if (parameters->function == nullptr) return CudaError::kInvalidDeviceFunction;
  if (parameters->extra != nullptr) return kUnsupported;
  work = {parameters->function, parameters->grid, parameters->block, parameters->shared_bytes, false, {}};
  if (Outcome packed = PackKernel(runtime, work, parameters->arguments); !packed.ok()) return packed;
  return CheckKernel(runtime, work);
}

Outcome ToFillWork(Runtime& runtime, const FillParameters* parameters, FillWork& work) {
  if (parameters == nullptr) return kNull;
  const FillParameters& fill = *parameters;
  const bool is_element = fill.element_bytes == 1 || fill.element_bytes == 2 || fill.element_bytes == 4;
  if (!is_element || fill.width == 0 || fill.height == 0 || fill.width > SIZE_MAX / fill.element_bytes)
    return CudaError::kInvalidValue;
  const std::size_t width = fill.width * fill.element_bytes;
  work = {.target = fill.target,
          .pitch = fill.height == 1 ? width : fill.pitch,
          .value = fill.value,
          .element_bytes = fill.element_bytes,
          .width_bytes = width,
          .height = fill.height};
  return CheckFill(runtime, work);
}

Outcome ToCopyNode(Runtime& runtime, const CopyWork& copy, NodeWork& work) {
  if (copy.shape.width_bytes == 0 || copy.shape.height == 0 || copy.shape.depth == 0)
    return CudaError::kInvalidValue;
  work = copy;
  return CheckCopy(runtime, copy);
}

CopyWork Line(void* target, const void* source, std::size_t bytes, int kind) {
  return {{.target = target,
           .target_pitch = bytes,
           .source = source,
           .source_pitch = bytes,
           .width_bytes = bytes},
          kind};
}

/// Tells handles as CUDA does: without an array only their number; otherwise as many as fit, and null beyond
/// the last.
template <class Id>
Outcome Tell(const std::vector<Id>& ids, void** array, std::size_t* count) {
  if (count == nullptr) return kNull;
  if (array != nullptr) {
    for (std::size_t i = 0; i < *count; ++i) array[i] = i < ids.size() ? Graphs::NodeHandle(ids[i]) : nullptr;
    *count = std::min(*count, ids.size());
  } else {
    *count = ids.size();
  }
  return {};
}

int Instantiate(const char* call, void** ready, void* handle, unsigned long long flags) {
  return WithGraph(call, handle, [&](Runtime&, GraphId graph) -> Outcome {
    if (ready == nullptr) return kNull;
    if ((flags & ~kKnownFlags) != 0) return CudaError::kInvalidValue;
    if ((flags & kDeviceLaunch) != 0) return kUnsupported;
    Graph& model = *Graphs::Get().Find(graph);
    if (model.is_body) return kBodyIsNoGraph;
    if (Graphs::Get().AllowsOneInstance(graph) && !model.instance.expired()) return kOneInstance;
    auto made = MakeReady(graph);
    if (!made) return made.error();
    (*made)->flags = flags;
    model.instance = *made;
    ReadyGraphs& all = Ready();
    *ready = Pack({all.next, 0, HandleTag::kReadyGraph});
    all.all[all.next++] = std::move(*made);
    return {};
  });
}

/// Of no node: null.
void* ToHandle(NodeId node) {
  return node == 0 ? nullptr : Graphs::NodeHandle(node);
}

/// Changes the work of the node in a graph that is ready.
template <class Work>
Outcome Replace(Runtime& runtime, ReadyGraph& ready, void* handle, Work work) {
  const auto known = Unpack(runtime, handle);
  if (!known || known->tag != HandleTag::kGraphNode) return CudaError::kInvalidValue;
  const auto step = std::ranges::find_if(ready.steps, [&](const ReadyGraph::Step& each) {
    return each.node == known->id && std::holds_alternative<Work>(each.work);
  });
  if (step == ready.steps.end()) return CudaError::kInvalidValue;
  step->work = std::move(work);
  return {};
}

}  // namespace
}  // namespace warplings::runtime

using namespace warplings;
using namespace warplings::runtime;

// --- Graphs ----------------------------------------------------------------------------------------

WARPLINGS_API int cudaGraphCreate(void** graph, unsigned flags) {
  return Forward("cudaGraphCreate", [&](Runtime&) -> Outcome {
    if (graph == nullptr || flags != 0) return CudaError::kInvalidValue;
    auto made = Graphs::Get().Create();
    if (!made) return made.error();
    *graph = Graphs::Handle(*made);
    return {};
  });
}

WARPLINGS_API int cudaGraphDestroy(void* handle) {
  return WithGraph("cudaGraphDestroy", handle, [](Runtime&, GraphId graph) -> Outcome {
    if (IsCapturedWithin(graph)) return kIllegalState;
    if (Graphs::Get().Find(graph)->is_owned) return CudaError::kInvalidValue;
    Graphs::Get().Destroy(graph);
    return {};
  });
}

WARPLINGS_API int cudaGraphClone(void** clone, void* handle) {
  return WithGraph("cudaGraphClone", handle, [&](Runtime&, GraphId graph) -> Outcome {
    if (clone == nullptr) return kNull;
    if (Graphs::Get().AllowsOneInstance(graph)) return kOneInstance;
    auto made = Graphs::Get().Clone(graph, false);
    if (!made) return made.error();
    *clone = Graphs::Handle(*made);
    return {};
  });
}

WARPLINGS_API int cudaGraphNodeFindInClone(void** node, void* original, void* clone) {
  return WithGraph("cudaGraphNodeFindInClone", clone, [&](Runtime& runtime, GraphId graph) -> Outcome {
    const auto known = Unpack(runtime, original);
    if (node == nullptr || !known || known->tag != HandleTag::kGraphNode) return CudaError::kInvalidValue;
    for (const NodeId id : Graphs::Get().Find(graph)->nodes) {
      if (Graphs::Get().FindNode(id)->original != known->id) continue;
      *node = Graphs::NodeHandle(id);
      return {};
    }
    return CudaError::kInvalidValue;
  });
}

WARPLINGS_API int cudaGraphGetNodes(void* handle, void** nodes, std::size_t* count) {
  return WithGraph("cudaGraphGetNodes", handle, [&](Runtime&, GraphId graph) {
    return Tell(Graphs::Get().Find(graph)->nodes, nodes, count);
  });
}

WARPLINGS_API int cudaGraphGetRootNodes(void* handle, void** nodes, std::size_t* count) {
  return WithGraph("cudaGraphGetRootNodes", handle, [&](Runtime&, GraphId graph) {
    std::vector<NodeId> roots = Graphs::Get().Find(graph)->nodes;
    std::erase_if(roots, [](NodeId node) { return !Graphs::Get().FindNode(node)->before.empty(); });
    return Tell(roots, nodes, count);
  });
}

// --- Nodes -----------------------------------------------------------------------------------------

WARPLINGS_API int cudaGraphAddEmptyNode(void** node, void* graph, void* const* before, std::size_t count) {
  return AddNode("cudaGraphAddEmptyNode", node, graph, before, count,
                 [](Runtime&, NodeWork&) { return Outcome(); });
}

WARPLINGS_API int cudaGraphAddKernelNode(void** node, void* graph, void* const* before, std::size_t count,
                                         const KernelParameters* parameters) {
  return AddNode("cudaGraphAddKernelNode", node, graph, before, count, [&](Runtime& runtime, NodeWork& work) {
    return ToKernelWork(runtime, parameters, work.emplace<KernelWork>());
  });
}

WARPLINGS_API int cudaGraphAddMemcpyNode(void** node, void* graph, void* const* before, std::size_t count,
                                         const Copy3D* parameters) {
  return AddNode("cudaGraphAddMemcpyNode", node, graph, before, count, [&](Runtime& runtime, NodeWork& work) {
    CopyWork copy;
    const Outcome read = ToCopyWork(parameters, copy);
    return read.ok() ? ToCopyNode(runtime, copy, work) : read;
  });
}

WARPLINGS_API int cudaGraphAddMemcpyNode1D(void** node, void* graph, void* const* before, std::size_t count,
                                           void* target, const void* source, std::size_t bytes, int kind) {
  return AddNode("cudaGraphAddMemcpyNode1D", node, graph, before, count,
                 [&](Runtime& runtime, NodeWork& work) {
                   return ToCopyNode(runtime, Line(target, source, bytes, kind), work);
                 });
}

WARPLINGS_API int cudaGraphAddMemsetNode(void** node, void* graph, void* const* before, std::size_t count,
                                         const FillParameters* parameters) {
  return AddNode("cudaGraphAddMemsetNode", node, graph, before, count, [&](Runtime& runtime, NodeWork& work) {
    return ToFillWork(runtime, parameters, work.emplace<FillWork>());
  });
}

WARPLINGS_API int cudaGraphAddHostNode(void** node, void* graph, void* const* before, std::size_t count,
                                       const HostParameters* parameters) {
  return AddNode("cudaGraphAddHostNode", node, graph, before, count,
                 [&](Runtime&, NodeWork& work) -> Outcome {
                   if (parameters == nullptr || parameters->function == nullptr)
                     return CudaError::kInvalidValue;
                   work = HostCall{.function = parameters->function, .data = parameters->data};
                   return {};
                 });
}

/// The node has a copy of the graph: what happens to that one later does not change it.
WARPLINGS_API int cudaGraphAddChildGraphNode(void** node, void* graph, void* const* before, std::size_t count,
                                             void* child) {
  return AddNode("cudaGraphAddChildGraphNode", node, graph, before, count,
                 [&](Runtime& runtime, NodeWork& work) -> Outcome {
                   const auto inner = Graphs::Get().ToGraph(runtime, child);
                   if (!inner || child == graph) return CudaError::kInvalidValue;
                   if (Graphs::Get().AllowsOneInstance(*inner)) return kOneInstance;
                   auto clone = Graphs::Get().Clone(*inner, true);
                   if (!clone) return clone.error();
                   Graphs::Get().Find(*clone)->parent = Graphs::Get().ToGraph(runtime, graph).value();
                   work = ChildWork{*clone};
                   return {};
                 });
}

WARPLINGS_API int cudaGraphAddEventRecordNode(void** node, void* graph, void* const* before,
                                              std::size_t count, void* event) {
  return AddNode("cudaGraphAddEventRecordNode", node, graph, before, count, [&](Runtime&, NodeWork& work) {
    work = EventRecord{event};
    return event == nullptr ? Outcome(CudaError::kInvalidValue) : Outcome();
  });
}

WARPLINGS_API int cudaGraphAddEventWaitNode(void** node, void* graph, void* const* before, std::size_t count,
                                            void* event) {
  return AddNode("cudaGraphAddEventWaitNode", node, graph, before, count, [&](Runtime&, NodeWork& work) {
    work = EventWait{event};
    return event == nullptr ? Outcome(CudaError::kInvalidValue) : Outcome();
  });
}

WARPLINGS_API int cudaGraphDestroyNode(void* handle) {
  return WithNode("cudaGraphDestroyNode", handle, [](Runtime&, NodeId node) -> Outcome {
    const Node& known = *Graphs::Get().FindNode(node);
    if (Graphs::Get().HasMemoryNodes(known.graph)) return kMemoryStays;
    // A capture would go on with what is not there any more.
    if (IsCapturedTo(known.graph) || std::ranges::any_of(InnerGraphs(known.work), IsCapturedWithin))
      return kIllegalState;
    Graphs::Get().Remove(node);
    return {};
  });
}

WARPLINGS_API int cudaGraphNodeGetType(void* handle, int* type) {
  return WithNode("cudaGraphNodeGetType", handle, [&](Runtime&, NodeId node) -> Outcome {
    if (type == nullptr) return kNull;
    *type = TypeOf(Graphs::Get().FindNode(node)->work);
    return {};
  });
}

WARPLINGS_API int cudaGraphChildGraphNodeGetGraph(void* handle, void** graph) {
  return WithNode("cudaGraphChildGraphNodeGetGraph", handle, [&](Runtime&, NodeId node) -> Outcome {
    const auto* child = std::get_if<ChildWork>(&Graphs::Get().FindNode(node)->work);
    if (graph == nullptr || child == nullptr) return CudaError::kInvalidValue;
    *graph = Graphs::Handle(child->graph);
    return {};
  });
}

WARPLINGS_API int cudaGraphKernelNodeSetParams(void* handle, const KernelParameters* parameters) {
  return WithNode("cudaGraphKernelNodeSetParams", handle, [&](Runtime& runtime, NodeId node) -> Outcome {
    auto* kernel = std::get_if<KernelWork>(&Graphs::Get().FindNode(node)->work);
    if (kernel == nullptr) return CudaError::kInvalidValue;
    KernelWork work;
    if (Outcome made = ToKernelWork(runtime, parameters, work); !made.ok()) return made;
    *kernel = std::move(work);
    return {};
  });
}

// --- Edges: since CUDA 13 these functions take what an edge is like, before then those ending in _v2 do. ---

namespace {

void TellPlain(EdgeData* edges, std::size_t count) {
  if (edges != nullptr) std::fill(edges, edges + count, EdgeData{});
}

int AddEdges(void* handle, void* const* from, void* const* to, const EdgeData* edges, std::size_t count) {
  return WithGraph("cudaGraphAddDependencies", handle, [&](Runtime& runtime, GraphId graph) -> Outcome {
    Graphs& graphs = Graphs::Get();
    if (count != 0 && (from == nullptr || to == nullptr)) return kNull;
    if (!IsPlain(edges, count)) return kUnsupported;
    for (std::size_t i = 0; i < count; ++i) {
      const auto first = graphs.ToNode(runtime, from[i]), second = graphs.ToNode(runtime, to[i]);
      if (!first || !second || graphs.FindNode(*first)->graph != graph || !graphs.CanConnect(*first, *second))
        return CudaError::kInvalidValue;
      if (auto connected = graphs.Connect(*first, *second); !connected) return connected;
    }
    return {};
  });
}

int RemoveEdges(void* handle, void* const* from, void* const* to, std::size_t count) {
  return WithGraph("cudaGraphRemoveDependencies", handle, [&](Runtime& runtime, GraphId graph) -> Outcome {
    Graphs& graphs = Graphs::Get();
    if (count != 0 && (from == nullptr || to == nullptr)) return kNull;
    if (graphs.HasMemoryNodes(graph)) return kMemoryStays;
    for (std::size_t i = 0; i < count; ++i) {
      const auto first = graphs.ToNode(runtime, from[i]), second = graphs.ToNode(runtime, to[i]);
      if (!first || !second || graphs.FindNode(*second)->graph != graph ||
          !graphs.Disconnect(*first, *second))
        return CudaError::kInvalidValue;
    }
    return {};
  });
}

int GetEdges(void* handle, void** from, void** to, EdgeData* edges, std::size_t* count) {
  return WithGraph("cudaGraphGetEdges", handle, [&](Runtime&, GraphId graph) -> Outcome {
    std::vector<NodeId> starts, ends;
    for (const NodeId node : Graphs::Get().Find(graph)->nodes) {
      for (const NodeId before : Graphs::Get().FindNode(node)->before) {
        starts.push_back(before);
        ends.push_back(node);
      }
    }
    if (count == nullptr || (from == nullptr) != (to == nullptr)) return CudaError::kInvalidValue;
    std::size_t as_many = *count;
    if (Outcome told = Tell(starts, from, &as_many); !told.ok()) return told;
    if (from != nullptr) TellPlain(edges, as_many);
    return Tell(ends, to, count);
  });
}

int GetBefore(void* handle, void** nodes, EdgeData* edges, std::size_t* count) {
  return WithNode("cudaGraphNodeGetDependencies", handle, [&](Runtime&, NodeId node) {
    Outcome told = Tell(Graphs::Get().FindNode(node)->before, nodes, count);
    if (told.ok() && nodes != nullptr) TellPlain(edges, *count);
    return told;
  });
}

int GetAfter(void* handle, void** nodes, EdgeData* edges, std::size_t* count) {
  return WithNode("cudaGraphNodeGetDependentNodes", handle, [&](Runtime&, NodeId node) {
    Outcome told = Tell(Graphs::Get().After(node), nodes, count);
    if (told.ok() && nodes != nullptr) TellPlain(edges, *count);
    return told;
  });
}

}  // namespace

#if WARPLINGS_CUDA_MAJOR >= 13
#define WITH_EDGES(name) name
#else
#define WITH_EDGES(name) name##_v2
WARPLINGS_API int cudaGraphAddDependencies(void* graph, void* const* from, void* const* to,
                                           std::size_t count) {
  return AddEdges(graph, from, to, nullptr, count);
}
WARPLINGS_API int cudaGraphRemoveDependencies(void* graph, void* const* from, void* const* to,
                                              std::size_t count) {
  return RemoveEdges(graph, from, to, count);
}
WARPLINGS_API int cudaGraphGetEdges(void* graph, void** from, void** to, std::size_t* count) {
  return GetEdges(graph, from, to, nullptr, count);
}
WARPLINGS_API int cudaGraphNodeGetDependencies(void* node, void** nodes, std::size_t* count) {
  return GetBefore(node, nodes, nullptr, count);
}
WARPLINGS_API int cudaGraphNodeGetDependentNodes(void* node, void** nodes, std::size_t* count) {
  return GetAfter(node, nodes, nullptr, count);
}
#endif
WARPLINGS_API int WITH_EDGES(cudaGraphAddDependencies)(void* graph, void* const* from, void* const* to,
                                                       const EdgeData* edges, std::size_t count) {
  return AddEdges(graph, from, to, edges, count);
}
WARPLINGS_API int WITH_EDGES(cudaGraphRemoveDependencies)(void* graph, void* const* from, void* const* to,
                                                          const EdgeData*, std::size_t count) {
  return RemoveEdges(graph, from, to, count);
}
WARPLINGS_API int WITH_EDGES(cudaGraphGetEdges)(void* graph, void** from, void** to, EdgeData* edges,
                                                std::size_t* count) {
  return GetEdges(graph, from, to, edges, count);
}
WARPLINGS_API int WITH_EDGES(cudaGraphNodeGetDependencies)(void* node, void** nodes, EdgeData* edges,
                                                           std::size_t* count) {
  return GetBefore(node, nodes, edges, count);
}
WARPLINGS_API int WITH_EDGES(cudaGraphNodeGetDependentNodes)(void* node, void** nodes, EdgeData* edges,
                                                             std::size_t* count) {
  return GetAfter(node, nodes, edges, count);
}

// --- Graphs that are ready to launch ---------------------------------------------------------------

WARPLINGS_API int cudaGraphInstantiate(void** ready, void* graph, unsigned long long flags) {
  return Instantiate("cudaGraphInstantiate", ready, graph, flags);
}

WARPLINGS_API int cudaGraphInstantiateWithFlags(void** ready, void* graph, unsigned long long flags) {
  return Instantiate("cudaGraphInstantiateWithFlags", ready, graph, flags);
}

WARPLINGS_API int cudaGraphExecGetFlags(void* handle, unsigned long long* flags) {
  return WithReady("cudaGraphExecGetFlags", handle,
                   [&](Runtime&, const std::shared_ptr<ReadyGraph>& ready) -> Outcome {
                     if (flags == nullptr) return kNull;
                     *flags = ready->flags;
                     return {};
                   });
}

WARPLINGS_API int cudaGraphLaunch(void* handle, void* stream) {
  NoteWork(0);
  return WithReady("cudaGraphLaunch", handle,
                   [&](Runtime& runtime, const std::shared_ptr<ReadyGraph>& ready) -> Outcome {
                     // As a node of another graph it would be a child.
                     auto refused = RefuseInCapture(runtime, stream, CudaError::kNotSupported);
                     return refused ? *refused : LaunchReady(runtime, *ready, stream);
                   });
}

/// A card gets the graph before its first launch. Here there is nothing to send.
WARPLINGS_API int cudaGraphUpload(void* handle, void* stream) {
  return WithReady("cudaGraphUpload", handle,
                   [&](Runtime& runtime, const std::shared_ptr<ReadyGraph>&) -> Outcome {
                     auto id = ToStream(runtime, stream);
                     if (!id) return id.error();
                     auto known = runtime.device().Ask(protocol::GetStreamPriority{*id});
                     return known ? Outcome() : Outcome(known.error());
                   });
}

WARPLINGS_API int cudaGraphExecDestroy(void* handle) {
  return WithReady("cudaGraphExecDestroy", handle,
                   [&](Runtime& runtime, const std::shared_ptr<ReadyGraph>& ready) -> Outcome {
                     DestroyReady(runtime, *ready);
                     Ready().all.erase(Unpack(runtime, handle)->id);
                     return {};
                   });
}

WARPLINGS_API int cudaGraphExecKernelNodeSetParams(void* handle, void* node,
                                                   const KernelParameters* parameters) {
  return WithReady("cudaGraphExecKernelNodeSetParams", handle,
                   [&](Runtime& runtime, const std::shared_ptr<ReadyGraph>& ready) -> Outcome {
                     KernelWork work;
                     if (Outcome made = ToKernelWork(runtime, parameters, work); !made.ok()) return made;
                     return Replace(runtime, *ready, node, std::move(work));
                   });
}

WARPLINGS_API int cudaGraphExecMemcpyNodeSetParams1D(void* handle, void* node, void* target,
                                                     const void* source, std::size_t bytes, int kind) {
  return WithReady("cudaGraphExecMemcpyNodeSetParams1D", handle,
                   [&](Runtime& runtime, const std::shared_ptr<ReadyGraph>& ready) -> Outcome {
                     NodeWork work;
                     Outcome made = ToCopyNode(runtime, Line(target, source, bytes, kind), work);
                     return made.ok() ? Replace(runtime, *ready, node, std::get<CopyWork>(work)) : made;
                   });
}

WARPLINGS_API int cudaGraphExecMemsetNodeSetParams(void* handle, void* node,
                                                   const FillParameters* parameters) {
  return WithReady("cudaGraphExecMemsetNodeSetParams", handle,
                   [&](Runtime& runtime, const std::shared_ptr<ReadyGraph>& ready) -> Outcome {
                     FillWork work;
                     Outcome made = ToFillWork(runtime, parameters, work);
                     return made.ok() ? Replace(runtime, *ready, node, work) : made;
                   });
}

WARPLINGS_API int cudaGraphExecUpdate(void* handle, void* graph, UpdateResult* result) {
  return WithReady("cudaGraphExecUpdate", handle,
                   [&](Runtime& runtime, const std::shared_ptr<ReadyGraph>& ready) -> Outcome {
                     const auto id = Graphs::Get().ToGraph(runtime, graph);
                     if (!id) return CudaError::kInvalidValue;
                     if (result != nullptr) *result = {};
                     const auto instance = Graphs::Get().Find(*id)->instance.lock();
                     if (instance != nullptr && instance != ready && Graphs::Get().HasMemoryNodes(*id))
                       return kReadyElsewhere;
                     const UpdateReport report = UpdateReady(ready, *id);
                     if (result != nullptr)
                       *result = {report.outcome, ToHandle(report.node), ToHandle(report.from)};
                     return report.outcome == kUpdated ? Outcome() : Outcome(kGraphExecUpdateFailure);
                   });
}
