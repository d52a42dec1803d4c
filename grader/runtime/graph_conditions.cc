// SPDX-License-Identifier: Apache-2.0
#include "grader/runtime/graph_conditions.h"

#include <algorithm>
#include <span>

#include "grader/runtime/host_functions.h"

namespace warplings::runtime {
namespace {

/// cudaGraphConditionalHandleFlags.
constexpr unsigned kAssignDefault = 1;
/// Bodies of one node: more than any program needs, and no more than can be made at once.
constexpr unsigned kMostBodies = 1024;

struct Condition {
  GraphId graph = 0;
  std::size_t device = 0;
  unsigned generation = 0;  ///< Of its device (Runtime::generation): a reset destroys it.
  std::uint32_t default_value = 0;
  bool has_default = false;
  bool is_used = false;  ///< By a node.
};

std::map<DevicePointer, Condition>& Conditions() {
  static auto* const conditions = new std::map<DevicePointer, Condition>;
  return *conditions;
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

Outcome SetDefaults(Runtime& runtime, GraphId graph, void* stream) {
  for (const auto& [address, condition] : Conditions()) {
    if (condition.graph != graph || !condition.has_default) continue;
    if (condition.generation != runtime.generation[condition.device]) return CudaError::kInvalidValue;
    FillWork fill;
    fill.target = reinterpret_cast<void*>(address);
    fill.value = condition.default_value;
    fill.element_bytes = sizeof condition.default_value;
    fill.width_bytes = fill.pitch = sizeof condition.default_value;
    if (Outcome filled = RunFill(runtime, fill, stream); !filled.ok()) return filled;
  }
  return {};
}

Outcome ReadCondition(Runtime& runtime, const ConditionalWork& work, void* handle, std::uint32_t& value) {
  RunAwaitedHostFunctions(runtime, *runtime.lock, {protocol::Awaited::kStream, handle});
  auto stream = ToStream(runtime, handle);
  if (!stream) return stream.error();
  return runtime.device().CopyOut(std::as_writable_bytes(std::span(&value, 1)), work.condition, *stream);
}

bool HasUnusedCondition(GraphId graph) {
  return std::ranges::any_of(
      Conditions(), [&](const auto& entry) { return entry.second.graph == graph && !entry.second.is_used; });
}

bool MayBeInBody(const NodeWork& work) {
  return std::holds_alternative<KernelWork>(work) || std::holds_alternative<CopyWork>(work) ||
         std::holds_alternative<FillWork>(work) || std::holds_alternative<ChildWork>(work) ||
         std::holds_alternative<EmptyWork>(work) || std::holds_alternative<ConditionalWork>(work);
}

Outcome MakeConditional(const ConditionalParameters& parameters, NodeWork& work) {
  const auto condition = Conditions().find(parameters.condition);
  if (condition == Conditions().end() || condition->second.is_used ||
      !IsSize(parameters.type, parameters.size))
    return CudaError::kInvalidValue;
  ConditionalWork made{.condition = condition->first, .type = parameters.type, .bodies = {}, .handles = {}};
  for (unsigned i = 0; i < parameters.size; ++i) {
    auto body = Graphs::Get().Create(true);
    if (!body) {
      for (const GraphId earlier : made.bodies) Graphs::Get().Destroy(earlier);
      return body.error();
    }
    Graphs::Get().Find(*body)->is_body = true;
    made.bodies.push_back(*body);
    made.handles.push_back(Graphs::Handle(*body));
  }
  condition->second.is_used = true;
  work = std::move(made);
  return {};
}

}  // namespace warplings::runtime

using namespace warplings;
using namespace warplings::runtime;

WARPLINGS_API int cudaGraphConditionalHandleCreate(unsigned long long* handle, void* graph,
                                                   unsigned default_value, unsigned flags) {
  return Forward("cudaGraphConditionalHandleCreate", [&](Runtime& runtime) -> Outcome {
    const auto id = Graphs::Get().ToGraph(runtime, graph);
    if (handle == nullptr || !id || (flags & ~kAssignDefault) != 0) return CudaError::kInvalidValue;
    auto word = runtime.device().Allocate(sizeof default_value, AllocationKind::kDescriptor);
    if (!word) return word.error();
    const std::size_t device = runtime.device().device_in_use();
    Conditions()[word->address] = {.graph = *id,
                                   .device = device,
                                   .generation = runtime.generation[device],
                                   .default_value = default_value,
                                   .has_default = (flags & kAssignDefault) != 0};
    *handle = word->address;
    // An H200 takes the default at launches alone: without the flag the first value is 0. A copy, because the
    // host waits for it: it comes before all launches, in whatever stream.
    const std::uint32_t first = 0;
    return runtime.device().CopyIn(word->address, std::as_bytes(std::span(&first, 1)), 0);
  });
}
