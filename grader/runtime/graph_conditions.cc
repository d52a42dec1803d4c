// SPDX-License-Identifier: Apache-2.0
#include "grader/runtime/graph_conditions.h"

#include <algorithm>
#include <iterator>
#include <span>

#include "grader/runtime/host_functions.h"

namespace warplings::runtime {
namespace {

/// cudaGraphConditionalHandleFlags.
constexpr unsigned kAssignDefault = 1;
/// Bodies of one node: more than any program needs, and no more than can be made at once.
constexpr unsigned kMostBodies = 1024;

/// Of all graphs together. Each is an allocation of the device's.
constexpr std::size_t kMostConditions = 4096;

using Conditions = std::map<DevicePointer, std::shared_ptr<GraphCondition>>;
Conditions& AllConditions() {
  static auto* const conditions = new Conditions;
  return *conditions;
}

bool MayUse(GraphId graph, const GraphCondition& condition) {
  while (graph != 0 && graph != condition.graph) graph = Graphs::Get().Find(graph)->parent;
  return graph != 0;
}

bool IsSize(int type, unsigned size) {
  switch (type) {
    case kIf: return size == 1 || size == 2;
    case kWhile: return size == 1;
    case kSwitch: return size >= 1 && size <= kMostBodies;
    default: return false;
  }
}

}  // namespace

ConditionList GatherConditions(GraphId id) {
  const Graph& graph = *Graphs::Get().Find(id);
  ConditionList conditions = graph.conditions;
  for (const NodeId node : graph.nodes) {
    const auto* child = std::get_if<ChildWork>(&Graphs::Get().FindNode(node)->work);
    if (child != nullptr) std::ranges::copy(GatherConditions(child->graph), std::back_inserter(conditions));
  }
  return conditions;
}

Outcome SetDefaults(Runtime& runtime, const ConditionList& conditions, void* stream) {
  for (const auto& condition : conditions) {
    if (!condition->has_default) continue;
    if (condition->generation != runtime.generation[condition->device]) return CudaError::kInvalidValue;
    FillWork fill;
    fill.target = reinterpret_cast<void*>(condition->address);
    fill.value = condition->default_value;
    fill.element_bytes = sizeof condition->default_value;
    fill.width_bytes = fill.pitch = sizeof condition->default_value;
    if (Outcome filled = RunFill(runtime, fill, stream); !filled.ok()) return filled;
  }
  return {};
}

Outcome ReadCondition(Runtime& runtime, const ConditionalWork& work, void* handle, std::uint32_t& value) {
  RunAwaitedHostFunctions(runtime, *runtime.lock, {protocol::Awaited::kStream, handle});
  auto stream = ToStream(runtime, handle);
  if (!stream) return stream.error();
  return runtime.device().CopyOut(std::as_writable_bytes(std::span(&value, 1)), work.condition->address,
                                  *stream);
}

bool MayBeInBody(const NodeWork& work) {
  return std::holds_alternative<KernelWork>(work) || std::holds_alternative<CopyWork>(work) ||
         std::holds_alternative<FillWork>(work) || std::holds_alternative<ChildWork>(work) ||
         std::holds_alternative<EmptyWork>(work) || std::holds_alternative<ConditionalWork>(work);
}

Outcome MakeConditional(GraphId graph, const ConditionalParameters& parameters, NodeWork& work) {
  const auto found = AllConditions().find(parameters.condition);
  if (found == AllConditions().end() || found->second->is_used || !MayUse(graph, *found->second) ||
      !IsSize(parameters.type, parameters.size))
    return CudaError::kInvalidValue;
  ConditionalWork made{.condition = found->second, .type = parameters.type, .bodies = {}, .handles = {}};
  for (unsigned i = 0; i < parameters.size; ++i) {
    auto body = Graphs::Get().Create(true);
    if (!body) {
      for (const GraphId earlier : made.bodies) Graphs::Get().Destroy(earlier);
      return body.error();
    }
    Graphs::Get().Find(*body)->is_body = true;
    Graphs::Get().Find(*body)->parent = graph;
    made.bodies.push_back(*body);
    made.handles.push_back(Graphs::Handle(*body));
  }
  work = std::move(made);
  return {};
}

void ReleaseConditions(Runtime& runtime) {
  std::erase_if(AllConditions(), [&](const auto& entry) {
    const std::shared_ptr<GraphCondition>& condition = entry.second;
    if (condition->generation != runtime.generation[condition->device]) return true;
    if (condition.use_count() > 1 || condition->device != runtime.device().device_in_use()) return false;
    return runtime.device().Free(condition->address).ok();
  });
}

}  // namespace warplings::runtime

using namespace warplings;
using namespace warplings::runtime;

WARPLINGS_API int cudaGraphConditionalHandleCreate(unsigned long long* handle, void* graph,
                                                   unsigned default_value, unsigned flags) {
  return Forward("cudaGraphConditionalHandleCreate", [&](Runtime& runtime) -> Outcome {
    if (AllConditions().size() >= kMostConditions) {
      // Freeing memory waits for all work, and that for functions of the host.
      RunAwaitedHostFunctions(runtime, *runtime.lock, {});
      ReleaseConditions(runtime);
    }
    const auto id = Graphs::Get().ToGraph(runtime, graph);
    if (handle == nullptr || !id || (flags & ~kAssignDefault) != 0) return CudaError::kInvalidValue;
    if (AllConditions().size() >= kMostConditions) return TooMany(kMostConditions, "conditional handles");
    auto word = runtime.device().Allocate(sizeof default_value, AllocationKind::kDescriptor);
    if (!word) return word.error();
    const std::size_t device = runtime.device().device_in_use();
    auto condition = std::make_shared<GraphCondition>();
    *condition = {.address = word->address,
                  .graph = *id,
                  .device = device,
                  .generation = runtime.generation[device],
                  .default_value = default_value,
                  .has_default = (flags & kAssignDefault) != 0};
    Graphs::Get().Find(*id)->conditions.push_back(condition);
    AllConditions()[word->address] = std::move(condition);
    *handle = word->address;
    // An H200 takes the default at launches alone: without the flag the first value is 0. A copy, because the
    // host waits for it: it comes before all launches, in whatever stream.
    const std::uint32_t first = 0;
    return runtime.device().CopyIn(word->address, std::as_bytes(std::span(&first, 1)), 0);
  });
}
