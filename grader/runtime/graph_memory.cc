// SPDX-License-Identifier: Apache-2.0
#include "grader/runtime/graph_memory.h"

#include <algorithm>
#include <cstring>

#include "grader/runtime/capture.h"
#include "grader/runtime/cuda_abi.h"
#include "grader/runtime/graph_launch.h"

namespace warplings::runtime {
namespace {

const Refused kNull{CudaError::kInvalidValue, protocol::Refusal::kNullPointer};
const Refused kUnfreed{CudaError::kInvalidValue, protocol::Refusal::kUnfreedGraphMemory};
const Refused kNotThere{CudaError::kInvalidValue, protocol::Refusal::kFreedGraphMemory};

/// What cudaDeviceGetGraphMemAttribute tells of a device. Memory that was freed is held until it is trimmed.
struct Footprint {
  unsigned generation = 0;  ///< Of the device: a reset gives all back.
  std::uint64_t there = 0, held = 0;
  std::uint64_t most_used = 0, most_reserved = 0;
};
/// An H200 holds memory for graphs in units of 32 MiB.
std::uint64_t InUnits(std::uint64_t bytes) {
  constexpr std::uint64_t kUnit = std::uint64_t{32} << 20;
  return (bytes + kUnit - 1) / kUnit * kUnit;
}
/// cudaGraphMemAttributeType.
enum GraphAttribute : int { kGraphUsed, kGraphUsedHigh, kGraphReserved, kGraphReservedHigh };

struct GraphMemory {
  std::map<DevicePointer, std::shared_ptr<GraphAllocation>> all;
  PerDevice<Footprint> of_device{};
};

GraphMemory& TheMemory() {
  static GraphMemory* const memory = new GraphMemory;
  return *memory;
}

Footprint& FootprintOf(Runtime& runtime, std::size_t device) {
  Footprint& footprint = TheMemory().of_device[device];
  if (footprint.generation != runtime.generation[device])
    footprint = {.generation = runtime.generation[device]};
  return footprint;
}

bool Exists(Runtime& runtime, const GraphAllocation& memory) {
  return memory.generation == runtime.generation[memory.device];
}

/// Null where there is no such allocation (any more).
std::shared_ptr<GraphAllocation> Find(Runtime& runtime, const void* pointer) {
  const auto found = TheMemory().all.find(ToDevice(pointer));
  return found != TheMemory().all.end() && Exists(runtime, *found->second) ? found->second : nullptr;
}

/// The allocation, there or not, that the address lies in; or null.
const GraphAllocation* Around(const void* pointer) {
  const auto& all = TheMemory().all;
  const auto after = all.upper_bound(ToDevice(pointer));
  if (after == all.begin()) return nullptr;
  const GraphAllocation& memory = *std::prev(after)->second;
  return ToDevice(pointer) - memory.address < memory.bytes ? &memory : nullptr;
}

/// Puts the memory there, or takes it away, when the stream gets here.
Outcome Change(Runtime& runtime, GraphAllocation& memory, void* handle, bool there) {
  if (!Exists(runtime, memory)) return CudaError::kInvalidValue;
  auto stream = ToStream(runtime, handle);
  if (!stream) return stream.error();
  if (runtime.device().device_in_use() != memory.device) return CudaError::kInvalidValue;
  const auto done = runtime.device().Ask(protocol::ChangeGraphMemory{memory.address, *stream, there});
  if (!done) return done.error();
  memory.is_there = there;
  Footprint& footprint = FootprintOf(runtime, memory.device);
  footprint.there += there ? memory.bytes : -memory.bytes;
  footprint.held = std::max(footprint.held, InUnits(footprint.there));
  footprint.most_used = std::max(footprint.most_used, footprint.held);
  footprint.most_reserved = std::max(footprint.most_reserved, footprint.held);
  return {};
}

template <class Body>
int WithFootprint(const char* call, int device, Body&& body) {
  return Forward(call, [&](Runtime& runtime) -> Outcome {
    if (!runtime.HasDevice(device)) return CudaError::kInvalidDevice;
    return body(FootprintOf(runtime, static_cast<std::size_t>(device)));
  });
}

/// The calls that add a node of this kind; `make(runtime, graph, work)` checks and fills its work.
template <class Make>
int AddMemoryNode(const char* call, void** node, void* handle, void* const* before, std::size_t count,
                  Make&& make) {
  return Forward(call, [&](Runtime& runtime) -> Outcome {
    const auto graph = Graphs::Get().ToGraph(runtime, handle);
    if (!graph) return CudaError::kInvalidValue;
    if (node == nullptr) return kNull;
    auto nodes = Graphs::Get().ToNodes(runtime, *graph, before, count);
    if (!nodes) return CudaError::kInvalidValue;
    NodeWork work = EmptyWork{};
    if (Outcome made = make(runtime, *graph, work); !made.ok()) return made;
    auto added =
        Graphs::Get().Add(*graph, std::move(*nodes), std::move(work), runtime.device().device_in_use());
    if (!added) return added.error();
    *node = Graphs::NodeHandle(*added);
    return {};
  });
}

Outcome AllocateAsTold(Runtime& runtime, GraphId graph, AllocationParameters* parameters, NodeWork& work) {
  if (parameters == nullptr) return kNull;
  const PoolProperties& pool = parameters->pool;
  if (pool.allocation_type != kPinnedAllocations || pool.location.type != kOnDevice ||
      pool.handle_types != 0 || parameters->bytes == 0)
    return CudaError::kInvalidValue;
  if (!runtime.HasDevice(pool.location.id)) return CudaError::kInvalidValue;
  runtime.device().UseDevice(static_cast<std::size_t>(pool.location.id));
  return MakeAllocation(runtime, graph, parameters->bytes, &parameters->pointer, work);
}

/// The work of the node, if it is of this type.
template <class Work>
const Work* WorkOf(Runtime& runtime, void* handle) {
  const auto node = Graphs::Get().ToNode(runtime, handle);
  return node ? std::get_if<Work>(&Graphs::Get().FindNode(*node)->work) : nullptr;
}

}  // namespace

Outcome MakeAllocation(Runtime& runtime, GraphId graph, std::size_t bytes, void** pointer, NodeWork& work) {
  auto allocated = runtime.device().Allocate(bytes, AllocationKind::kGraph);
  if (!allocated) {
    // Graphs that were destroyed may still hold addresses.
    ReleaseGraphMemory(runtime);
    allocated = runtime.device().Allocate(bytes, AllocationKind::kGraph);
  }
  if (!allocated) return allocated.error();
  const std::size_t device = runtime.device().device_in_use();
  auto memory = std::make_shared<GraphAllocation>();
  *memory = {.address = allocated->address,
             .bytes = bytes,
             .device = device,
             .generation = runtime.generation[device],
             .owner = graph};
  TheMemory().all[memory->address] = memory;
  *pointer = reinterpret_cast<void*>(memory->address);
  work = AllocationWork{std::move(memory)};
  return {};
}

Outcome MakeFree(Runtime& runtime, GraphId graph, void* pointer, NodeWork& work) {
  auto memory = Find(runtime, pointer);
  if (memory == nullptr) return CudaError::kInvalidValue;
  const bool is_owner = memory->owner == graph;
  const bool frees_already = Graphs::Get().HasAny(graph, [&](const NodeWork& other) {
    const auto* free = std::get_if<FreeWork>(&other);
    return free != nullptr && free->memory == memory;
  });
  if (frees_already || (is_owner ? memory->is_freed_by_others : memory->is_freed_by_owner))
    return CudaError::kInvalidValue;
  (is_owner ? memory->is_freed_by_owner : memory->is_freed_by_others) = true;
  work = FreeWork{std::move(memory)};
  return {};
}

Outcome PrepareMemory(Runtime& runtime, const ReadyGraph& ready, void* stream) {
  for (const ReadyGraph::Step& step : ready.steps) {
    const auto* work = std::get_if<AllocationWork>(&step.work);
    if (work == nullptr || !work->memory->is_there || !Exists(runtime, *work->memory)) continue;
    if ((ready.flags & kAutoFree) == 0) return kUnfreed;
    if (Outcome freed = Change(runtime, *work->memory, stream, false); !freed.ok()) return freed;
  }
  return {};
}

Outcome RunAllocation(Runtime& runtime, const AllocationWork& work, void* stream) {
  return Change(runtime, *work.memory, stream, true);
}

Outcome RunFree(Runtime& runtime, const FreeWork& work, void* stream) {
  return work.memory->is_there ? Change(runtime, *work.memory, stream, false) : Outcome(kNotThere);
}

std::optional<Outcome> FreeOfGraph(Runtime& runtime, const void* pointer, void* stream) {
  auto memory = Find(runtime, pointer);
  if (memory == nullptr) return std::nullopt;
  return RunFree(runtime, {std::move(memory)}, stream);
}

std::optional<Outcome> FreeOfGraphNow(Runtime& runtime, const void* pointer) {
  auto memory = Find(runtime, pointer);
  if (memory == nullptr) return std::nullopt;
  if (!memory->is_there) return kNotThere;
  runtime.device().UseDevice(memory->device);
  const CudaStatus waited = runtime.device().SynchronizeAll();
  Outcome freed = RunFree(runtime, {std::move(memory)}, nullptr);
  return waited ? freed : Outcome(waited);
}

bool IsFreedByItsGraph(const void* pointer) {
  const GraphAllocation* memory = Around(pointer);
  return memory != nullptr && memory->is_freed_by_owner;
}

bool IsAbsentGraphMemory(Runtime& runtime, const void* pointer) {
  const GraphAllocation* memory = Around(pointer);
  return memory != nullptr && Exists(runtime, *memory) && !memory->is_there;
}

void ReleaseGraphMemory(Runtime& runtime) {
  std::erase_if(TheMemory().all, [&](const auto& entry) {
    const std::shared_ptr<GraphAllocation>& memory = entry.second;
    if (!Exists(runtime, *memory)) return true;
    const bool is_needed = memory->is_there || memory.use_count() > 1;
    if (is_needed || memory->device != runtime.device().device_in_use()) return false;
    return runtime.device().Free(memory->address).ok();
  });
}

}  // namespace warplings::runtime

using namespace warplings;
using namespace warplings::runtime;

// --- Nodes -----------------------------------------------------------------------------------------

WARPLINGS_API int cudaGraphAddMemAllocNode(void** node, void* graph, void* const* before, std::size_t count,
                                           AllocationParameters* parameters) {
  return AddMemoryNode("cudaGraphAddMemAllocNode", node, graph, before, count,
                       [&](Runtime& runtime, GraphId id, NodeWork& work) {
                         return AllocateAsTold(runtime, id, parameters, work);
                       });
}

WARPLINGS_API int cudaGraphAddMemFreeNode(void** node, void* graph, void* const* before, std::size_t count,
                                          void* pointer) {
  return AddMemoryNode(
      "cudaGraphAddMemFreeNode", node, graph, before, count,
      [&](Runtime& runtime, GraphId id, NodeWork& work) { return MakeFree(runtime, id, pointer, work); });
}

WARPLINGS_API int cudaGraphMemAllocNodeGetParams(void* node, AllocationParameters* parameters) {
  return Forward("cudaGraphMemAllocNodeGetParams", [&](Runtime& runtime) -> Outcome {
    const auto* work = WorkOf<AllocationWork>(runtime, node);
    if (parameters == nullptr || work == nullptr) return CudaError::kInvalidValue;
    *parameters = {};
    parameters->pool.allocation_type = kPinnedAllocations;
    parameters->pool.location = {kOnDevice, static_cast<int>(work->memory->device)};
    parameters->bytes = work->memory->bytes;
    parameters->pointer = reinterpret_cast<void*>(work->memory->address);
    return {};
  });
}

WARPLINGS_API int cudaGraphMemFreeNodeGetParams(void* node, void* pointer) {
  return Forward("cudaGraphMemFreeNodeGetParams", [&](Runtime& runtime) -> Outcome {
    const auto* work = WorkOf<FreeWork>(runtime, node);
    if (pointer == nullptr || work == nullptr) return CudaError::kInvalidValue;
    std::memcpy(pointer, &work->memory->address, sizeof work->memory->address);
    return {};
  });
}

// --- What a device holds for graphs ----------------------------------------------------------------

WARPLINGS_API int cudaDeviceGetGraphMemAttribute(int device, int attribute, void* value) {
  return WithFootprint("cudaDeviceGetGraphMemAttribute", device, [&](const Footprint& footprint) -> Outcome {
    if (value == nullptr) return kNull;
    if (attribute < kGraphUsed || attribute > kGraphReservedHigh) return CudaError::kInvalidValue;
    const std::uint64_t values[] = {footprint.held, footprint.most_used, footprint.held,
                                    footprint.most_reserved};
    std::memcpy(value, &values[attribute], sizeof values[attribute]);
    return {};
  });
}

/// The high-water marks can be set back, and that is all.
WARPLINGS_API int cudaDeviceSetGraphMemAttribute(int device, int attribute, const void* value) {
  return WithFootprint("cudaDeviceSetGraphMemAttribute", device, [&](Footprint& footprint) -> Outcome {
    std::uint64_t number = 0;
    if (value == nullptr) return kNull;
    std::memcpy(&number, value, sizeof number);
    if (number != 0 || (attribute != kGraphUsedHigh && attribute != kGraphReservedHigh))
      return CudaError::kInvalidValue;
    (attribute == kGraphUsedHigh ? footprint.most_used : footprint.most_reserved) = footprint.held;
    return {};
  });
}

WARPLINGS_API int cudaDeviceGraphMemTrim(int device) {
  return WithFootprint("cudaDeviceGraphMemTrim", device, [](Footprint& footprint) -> Outcome {
    footprint.held = InUnits(footprint.there);
    return {};
  });
}
