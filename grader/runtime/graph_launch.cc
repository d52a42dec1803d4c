// SPDX-License-Identifier: Apache-2.0
#include "grader/runtime/graph_launch.h"

#include <algorithm>
#include <utility>

namespace warplings::runtime {
namespace {

using Step = ReadyGraph::Step;

/// Beyond that, nodes share branches, and are in order where the graph has none.
constexpr std::uint32_t kMostBranches = 32;

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
    if (!IsDeviceAddress(work.shape.target))
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

}  // namespace

CudaResult<std::vector<Step>> OrderedSteps(GraphId graph) {
  std::vector<Step> steps;
  std::vector<std::uint32_t> leaves;
  if (auto appended = Append(graph, {}, steps, leaves); !appended) return appended.error();
  return steps;
}

CudaResult<std::shared_ptr<ReadyGraph>> MakeReady(GraphId graph) {
  auto steps = OrderedSteps(graph);
  if (!steps) return steps.error();
  if (auto room = Graphs::Get().Reserve(steps->size()); !room) return room.error();
  auto ready = std::make_shared<ReadyGraph>();
  ready->steps = std::move(*steps);
  ChooseBranches(*ready);
  return ready;
}

void DestroyReady(Runtime& runtime, ReadyGraph& ready) {
  ForgetOnDevice(runtime, ready);
  Graphs::Get().Release(ready.steps.size());
}

Outcome LaunchReady(Runtime& runtime, ReadyGraph& ready, void* stream) {
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
  const Runner main{runtime, of_stream, stream};
  // A graph does not run beside itself.
  if (ready.was_launched && ready.last_stream != stream) {
    if (Outcome waited = main.OnEvent(EventHandle(ready, ready.done), false); !waited.ok()) return waited;
  }
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
    if (Outcome done = std::visit(runner, step.work); !done.ok()) return done;
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

}  // namespace warplings::runtime
