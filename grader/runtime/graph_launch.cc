// SPDX-License-Identifier: Apache-2.0
#include "grader/runtime/graph_launch.h"

#include <algorithm>
#include <utility>

#include "grader/runtime/graph_conditions.h"
#include "grader/runtime/graph_memory.h"
#include "grader/runtime/registered_memory.h"

namespace warplings::runtime {
namespace {

using Step = ReadyGraph::Step;

/// Beyond that, nodes share branches, and are in order where the graph has none.
constexpr std::uint32_t kMostBranches = 32;
/// How often the while nodes of a launch may run their bodies; this takes about as long as the watchdog
/// allows one block.
constexpr std::uint32_t kMostPasses = 100'000;

/// Appends the steps of a graph whose first nodes wait for `before`; `leaves` become the last ones.
CudaStatus Append(GraphId id, const std::vector<std::uint32_t>& before, std::vector<Step>& steps,
                  std::vector<std::uint32_t>& leaves) {
  Graphs& graphs = Graphs::Get();
  const std::vector<NodeId>& nodes = graphs.Find(id)->nodes;
  std::map<NodeId, std::size_t> missing;  ///< How many of those before a node are not placed yet.
  std::map<NodeId, std::vector<NodeId>> after;
  for (const NodeId node : nodes) {
    missing[node] = graphs.FindNode(node)->before.size();
    for (const NodeId earlier : graphs.FindNode(node)->before) after[earlier].push_back(node);
  }
  std::vector<NodeId> order;
  for (const NodeId node : nodes) {
    if (missing[node] == 0) order.push_back(node);
  }
  std::map<NodeId, std::uint32_t> placed;
  leaves.clear();
  for (std::size_t i = 0; i < order.size(); ++i) {
    const Node& node = *graphs.FindNode(order[i]);
    Step step{.node = order[i], .device = node.device, .work = node.work, .before = {}};
    if (node.before.empty()) step.before = before;
    for (const NodeId earlier : node.before) step.before.push_back(placed.at(earlier));
    if (const auto* child = std::get_if<ChildWork>(&node.work)) {
      // What is within a child lies between two steps that do nothing.
      const GraphId inner = child->graph;
      step.work = EmptyWork{};
      steps.push_back(std::move(step));
      std::vector<std::uint32_t> ends;
      const std::vector<std::uint32_t> begin{static_cast<std::uint32_t>(steps.size() - 1)};
      if (auto appended = Append(inner, begin, steps, ends); !appended) return appended;
      step = {.node = order[i],
              .device = node.device,
              .work = EmptyWork{},
              .before = ends.empty() ? begin : ends};
    }
    placed[order[i]] = static_cast<std::uint32_t>(steps.size());
    steps.push_back(std::move(step));
    if (after[order[i]].empty()) leaves.push_back(placed[order[i]]);
    for (const NodeId later : after[order[i]]) {
      if (--missing[later] == 0) order.push_back(later);
    }
  }
  if (order.size() != nodes.size()) return CudaFault{CudaError::kInvalidValue, ""};
  return Unit{};
}

/// Spreads the steps over branches.
void ChooseBranches(ReadyGraph& ready) {
  std::vector<Step>& steps = ready.steps;
  std::vector<std::uint32_t> tails;  ///< By branch: its last step so far, + 1.
  std::vector<std::vector<std::uint32_t>> known(
      steps.size());  ///< By step and branch: the last before it, + 1.
  for (std::uint32_t i = 0; i < steps.size(); ++i) {
    Step& step = steps[i];
    std::vector<std::uint32_t>& clock = known[i];
    clock.resize(tails.size());
    for (const std::uint32_t before : step.before) {
      for (std::size_t b = 0; b < known[before].size(); ++b) clock[b] = std::max(clock[b], known[before][b]);
    }
    // A branch whose last step comes before this one; first that of a step that it waits for itself.
    std::uint32_t branch = 0;
    const auto is_free = [&](std::uint32_t b) { return clock[b] == tails[b]; };
    const auto direct = std::ranges::find_if(
        step.before, [&](std::uint32_t before) { return tails[steps[before].branch] == before + 1; });
    if (direct != step.before.end()) {
      branch = steps[*direct].branch;
    } else {
      while (branch < tails.size() && !is_free(branch)) ++branch;
      if (branch == kMostBranches) branch = i % kMostBranches;
    }
    if (branch == tails.size()) {
      tails.push_back(0);
      clock.push_back(0);
    }
    step.branch = branch;
    step.waits_for_start = branch != 0 && tails[branch] == 0 && step.before.empty();
    for (const std::uint32_t before : step.before) {
      if (steps[before].branch == branch) continue;
      step.waits.push_back(before);
      steps[before].is_awaited = true;
    }
    clock[branch] = tails[branch] = i + 1;
  }
  ready.branches = std::max<std::uint32_t>(1, static_cast<std::uint32_t>(tails.size()));
  for (std::uint32_t b = 1; b < tails.size(); ++b) {
    ready.ends.push_back(tails[b] - 1);
    steps[tails[b] - 1].is_awaited = true;
  }
}

void* EventHandle(const ReadyGraph& ready, EventId event) {
  return Pack({event, ready.device, HandleTag::kUntimedEvent});
}

void ForgetOnDevice(Runtime& runtime, ReadyGraph& ready) {
  if (!ready.is_on_device) return;
  ready.is_on_device = false;
  ready.was_launched = false;
  if (runtime.generation[ready.device] != ready.generation) return;
  DeviceClient& device = runtime.device();
  device.UseDevice(ready.device);
  // Work that is still pending keeps what it needs.
  for (void* stream : ready.streams) {
    if (const auto handle = Unpack(runtime, stream)) (void)device.DestroyStream(0, handle->id);
  }
  for (const Step& step : ready.steps) {
    if (step.is_awaited && step.event != 0) (void)device.DestroyEvent(0, step.event);
  }
  for (const EventId event : {ready.start, ready.done}) {
    if (event != 0) (void)device.DestroyEvent(0, event);
  }
}

/// Makes the streams and events that a launch needs.
CudaStatus PutOnDevice(Runtime& runtime, ReadyGraph& ready) {
  DeviceClient& device = runtime.device();
  ready.device = device.device_in_use();
  ready.generation = runtime.generation[ready.device];
  ready.is_on_device = true;
  ready.streams.assign(ready.branches, nullptr);
  for (Step& step : ready.steps) step.event = 0;
  ready.start = ready.done = 0;
  const auto make_event = [&](EventId& event) -> CudaStatus {
    auto made = device.CreateEvent(0);
    if (!made) return made.error();
    event = *made;
    return Unit{};
  };
  for (std::uint32_t b = 1; b < ready.branches; ++b) {
    auto made = device.CreateStream(0, StreamFlags::kNonBlocking);
    if (!made) return made.error();
    ready.streams[b] = Pack({*made, ready.device, HandleTag::kNonBlockingStream});
    runtime.has_unordered_streams = true;
  }
  for (Step& step : ready.steps) {
    if (!step.is_awaited) continue;
    if (auto made = make_event(step.event); !made) return made;
  }
  if (auto made = make_event(ready.start); !made) return made;
  return make_event(ready.done);
}

/// Gives one step's work to a stream.
struct Runner {
  Runtime& runtime;
  std::size_t device;
  void* stream;

  Outcome operator()(const KernelWork& work) const { return RunKernel(runtime, work, stream); }
  Outcome operator()(const CopyWork& work) const {
    // A copy to memory that only the host has waits here for its stream.
    if (!ReachesTarget(runtime, work.shape))
      RunAwaitedHostFunctions(runtime, *runtime.lock, {protocol::Awaited::kStream, stream});
    return RunCopy(runtime, work, stream);
  }
  Outcome operator()(const FillWork& work) const { return RunFill(runtime, work, stream); }
  Outcome operator()(const HostCall& call) const {
    auto id = ToStream(runtime, stream);
    if (!id) return id.error();
    bool runs_now = false;
    Outcome outcome = LaunchHostCall(runtime, *id, call, runs_now);
    if (!runs_now) return outcome;
    runtime.lock->unlock();
    RunNow(call);
    runtime.lock->lock();
    return outcome;
  }
  Outcome operator()(const AllocationWork& work) const { return RunAllocation(runtime, work, stream); }
  Outcome operator()(const FreeWork& work) const { return RunFree(runtime, work, stream); }
  Outcome operator()(const ConditionalWork&) const { return {}; }  // LaunchBodies
  Outcome operator()(const ChildWork&) const { return {}; }
  Outcome operator()(const EmptyWork&) const { return {}; }
  Outcome operator()(const EventWait& wait) const { return OnEvent(wait.event, false); }
  Outcome operator()(const EventRecord& record) const { return OnEvent(record.event, true); }

  Outcome OnEvent(void* handle, bool records) const {
    // Any other stream waits here and now, also for functions of the host.
    if (!records && TagOf(stream) != HandleTag::kNonBlockingStream)
      RunAwaitedHostFunctions(runtime, *runtime.lock, {protocol::Awaited::kEvent, handle});
    runtime.device().UseDevice(device);
    auto id = ToStream(runtime, stream);
    if (!id) return id.error();
    const auto event = Unpack(runtime, handle);
    if (!event || event->device != runtime.device().device_in_use()) return CudaError::kInvalidResourceHandle;
    return records ? runtime.device().RecordEvent(event->id, *id)
                   : runtime.device().WaitEvent(*id, event->id);
  }
};

CudaResult<std::vector<Step>> OrderedSteps(GraphId graph) {
  std::vector<Step> steps;
  std::vector<std::uint32_t> leaves;
  if (auto appended = Append(graph, {}, steps, leaves); !appended) return appended.error();
  return steps;
}

CudaStatus MakeBodies(Step& step) {
  const auto* conditional = std::get_if<ConditionalWork>(&step.work);
  if (conditional == nullptr) return Unit{};
  for (const GraphId graph : conditional->bodies) {
    if (Graphs::Get().HasAny(graph, [](const NodeWork& work) { return !MayBeInBody(work); }))
      return CudaFault{CudaError::kInvalidValue, ""};
    auto body = MakeReady(graph);
    if (!body) return body.error();
    step.bodies.push_back(std::move(*body));
  }
  return Unit{};
}

/// The nodes that no other waits for.
std::vector<NodeId> Exits(const std::vector<Step>& steps) {
  std::vector<bool> is_awaited(steps.size());
  for (const Step& step : steps) {
    for (const std::uint32_t before : step.before) is_awaited[before] = true;
  }
  std::vector<NodeId> exits;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (!is_awaited[i]) exits.push_back(steps[i].node);
  }
  return exits;
}

UpdateReport Compare(const ReadyGraph& ready, GraphId graph);

/// Of two nodes with work of the same type, whether the one can get the other's parameters.
UpdateReport CompareWork(const Step& step, const Step& then) {
  // A memset of memory that its graph also frees: an H200 does not find the device of another address then.
  const auto* fill = std::get_if<FillWork>(&step.work);
  if (fill != nullptr && fill->target != std::get<FillWork>(then.work).target &&
      IsFreedByItsGraph(fill->target))
    return {kUpdateError, step.node};
  const auto* conditional = std::get_if<ConditionalWork>(&step.work);
  if (conditional == nullptr) return {};
  if (conditional->type != std::get<ConditionalWork>(then.work).type ||
      conditional->bodies.size() != then.bodies.size())
    return {kParametersChanged, step.node};
  for (std::size_t body = 0; body < then.bodies.size(); ++body) {
    const UpdateReport report = Compare(*then.bodies[body], conditional->bodies[body]);
    if (report.outcome != kUpdated) return report;
  }
  return {};
}

/// Whether the graph has the shape of the one that is ready. The nodes that are named, and in which order
/// they are compared, an H200 showed (testdata/graph_nodes.cu).
UpdateReport Compare(const ReadyGraph& ready, GraphId graph) {
  const auto now = OrderedSteps(graph);
  if (!now) return {kUpdateError};
  if (now->size() != ready.steps.size()) return {kTopologyChanged};
  const std::vector<NodeId> exits = Exits(*now);
  if (exits.size() > Exits(ready.steps).size()) return {kTopologyChanged, exits.front()};
  for (std::size_t i = now->size(); i-- > 0;) {
    const Step &step = (*now)[i], &then = ready.steps[i];
    if (step.before.size() != then.before.size()) return {kTopologyChanged, step.node};
    if (step.work.index() != then.work.index()) return {kTypeChanged, step.node};
    const auto [own, others] = std::ranges::mismatch(step.before, then.before);
    if (own != step.before.end()) return {kTopologyChanged, step.node, (*now)[*own].node};
    if (const UpdateReport report = CompareWork(step, then); report.outcome != kUpdated) return report;
  }
  return {};
}

void TakeOver(ReadyGraph& ready, GraphId graph) {
  auto steps = OrderedSteps(graph);
  ready.graph = graph;
  ready.conditions = GatherConditions(graph);
  for (std::size_t i = 0; i < steps->size(); ++i) {
    Step& step = ready.steps[i];
    step.work = std::move((*steps)[i].work);
    step.device = (*steps)[i].device;
    const auto* conditional = std::get_if<ConditionalWork>(&step.work);
    for (std::size_t body = 0; body < step.bodies.size(); ++body)
      TakeOver(*step.bodies[body], conditional->bodies[body]);
  }
}

/// The body that the condition chooses; null: none.
ReadyGraph* ChooseBody(const Step& step, std::uint32_t value) {
  std::size_t chosen = value;
  const int type = std::get<ConditionalWork>(step.work).type;
  if (type == kIf || type == kWhile) chosen = value != 0 ? 0 : 1;
  return chosen < step.bodies.size() ? step.bodies[chosen].get() : nullptr;
}

Outcome LaunchSteps(Runtime& runtime, ReadyGraph& ready, void* stream, std::uint32_t& passes);

/// Runs what a conditional node chooses, once its condition is known.
Outcome LaunchBodies(Runtime& runtime, const Step& step, void* stream, std::uint32_t& passes) {
  const auto& work = std::get<ConditionalWork>(step.work);
  for (; passes < kMostPasses; ++passes) {
    std::uint32_t value = 0;
    if (Outcome read = ReadCondition(runtime, work, stream, value); !read.ok()) return read;
    ReadyGraph* body = ChooseBody(step, value);
    if (body == nullptr) return {};
    if (Outcome launched = LaunchSteps(runtime, *body, stream, passes); !launched.ok()) return launched;
    if (work.type != kWhile) return {};
  }
  return Refused{CudaError::kLaunchTimeout, protocol::Refusal::kEndlessGraph};
}

Outcome LaunchSteps(Runtime& runtime, ReadyGraph& ready, void* stream, std::uint32_t& passes) {
  auto id = ToStream(runtime, stream);
  if (!id) return id.error();
  DeviceClient& device = runtime.device();
  const std::size_t of_stream = device.device_in_use();
  for (const Step& step : ready.steps) {
    // A graph whose nodes are of several devices.
    if (step.device != of_stream)
      return Refused{CudaError::kNotSupported, protocol::Refusal::kUnsupportedCall};
  }
  if (ready.is_on_device && (ready.device != of_stream || ready.generation != runtime.generation[of_stream]))
    ForgetOnDevice(runtime, ready);
  device.UseDevice(of_stream);
  if (!ready.is_on_device) {
    if (auto made = PutOnDevice(runtime, ready); !made) {
      ForgetOnDevice(runtime, ready);
      return made;
    }
  }
  if (Outcome prepared = PrepareMemory(runtime, ready, stream); !prepared.ok()) return prepared;
  const Runner main{runtime, of_stream, stream};
  // A graph does not run beside itself.
  if (ready.was_launched && ready.last_stream != stream) {
    if (Outcome waited = main.OnEvent(EventHandle(ready, ready.done), false); !waited.ok()) return waited;
  }
  if (Outcome set = SetDefaults(runtime, ready.conditions, stream); !set.ok()) return set;
  if (ready.branches > 1) {
    if (Outcome started = main.OnEvent(EventHandle(ready, ready.start), true); !started.ok()) return started;
  }
  for (std::size_t i = 0; i < ready.steps.size(); ++i) {
    // A copy: while a function of the host runs, other threads may change the parameters.
    const Step step = ready.steps[i];
    NoteWork(runtime, *runtime.lock, 0, 2 + step.waits.size());
    device.UseDevice(of_stream);
    const Runner runner{runtime, of_stream, step.branch == 0 ? stream : ready.streams[step.branch]};
    if (step.waits_for_start) {
      if (Outcome waited = runner.OnEvent(EventHandle(ready, ready.start), false); !waited.ok())
        return waited;
    }
    for (const std::uint32_t before : step.waits) {
      Outcome waited = runner.OnEvent(EventHandle(ready, ready.steps[before].event), false);
      if (!waited.ok()) return waited;
    }
    device.UseDevice(of_stream);
    const bool is_conditional = std::holds_alternative<ConditionalWork>(step.work);
    Outcome done =
        is_conditional ? LaunchBodies(runtime, step, runner.stream, passes) : std::visit(runner, step.work);
    if (!done.ok()) return done;
    device.UseDevice(of_stream);
    if (step.is_awaited) {
      if (Outcome recorded = runner.OnEvent(EventHandle(ready, step.event), true); !recorded.ok())
        return recorded;
    }
  }
  for (const std::uint32_t end : ready.ends) {
    Outcome waited = main.OnEvent(EventHandle(ready, ready.steps[end].event), false);
    if (!waited.ok()) return waited;
  }
  ready.last_stream = stream;
  ready.was_launched = true;
  return main.OnEvent(EventHandle(ready, ready.done), true);
}

}  // namespace

CudaResult<std::shared_ptr<ReadyGraph>> MakeReady(GraphId graph) {
  auto steps = OrderedSteps(graph);
  if (!steps) return steps.error();
  ConditionList conditions = GatherConditions(graph);
  // A condition that no node has.
  if (!std::ranges::all_of(conditions, &GraphCondition::is_used))
    return CudaFault{CudaError::kInvalidValue, ""};
  if (auto room = Graphs::Get().Reserve(steps->size()); !room) return room.error();
  auto ready = std::make_shared<ReadyGraph>();
  ready->graph = graph;
  ready->conditions = std::move(conditions);
  ready->steps = std::move(*steps);
  ChooseBranches(*ready);
  for (Step& step : ready->steps) {
    if (auto made = MakeBodies(step); !made) {
      DestroyReady(Runtime::Get(), *ready);
      return made.error();
    }
  }
  return ready;
}

UpdateReport UpdateReady(const std::shared_ptr<ReadyGraph>& ready, GraphId graph) {
  const UpdateReport report = Compare(*ready, graph);
  if (report.outcome != kUpdated) return report;
  Graphs& graphs = Graphs::Get();
  if (graphs.HasMemoryNodes(graph)) {
    // The graph that it was made of may be instantiated again.
    Graph* former = graphs.Find(ready->graph);
    if (former != nullptr && former->instance.lock() == ready) former->instance.reset();
    graphs.Find(graph)->instance = ready;
  }
  TakeOver(*ready, graph);
  return report;
}

void DestroyReady(Runtime& runtime, ReadyGraph& ready) {
  for (const Step& step : ready.steps) {
    for (const auto& body : step.bodies) DestroyReady(runtime, *body);
  }
  ForgetOnDevice(runtime, ready);
  Graphs::Get().Release(ready.steps.size());
}

Outcome LaunchReady(Runtime& runtime, ReadyGraph& ready, void* stream) {
  std::uint32_t passes = 0;
  return LaunchSteps(runtime, ready, stream, passes);
}

}  // namespace warplings::runtime
