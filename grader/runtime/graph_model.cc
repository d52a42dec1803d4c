// SPDX-License-Identifier: Apache-2.0
#include "grader/runtime/graph_model.h"

#include <algorithm>
#include <set>
#include <utility>

#include "grader/runtime/graph_conditions.h"

namespace warplings::runtime {
namespace {

/// Where the types after an event record begin: those of external semaphores are left out.
constexpr int kFirstLateType = 8, kTypesLeftOut = 2, kConditionalType = 13;

}  // namespace

CudaFault TooMany(std::size_t limit, const char* what) {
  Warn("at most " + std::to_string(limit) + " " + what + " can exist at the same time.");
  return {CudaError::kMemoryAllocation, ""};
}

int TypeOf(const NodeWork& work) {
  const int index = static_cast<int>(work.index());
  if (std::holds_alternative<ConditionalWork>(work)) return kConditionalType;
  return index < kFirstLateType ? index : index + kTypesLeftOut;
}

std::vector<GraphId> InnerGraphs(const NodeWork& work) {
  if (const auto* child = std::get_if<ChildWork>(&work)) return {child->graph};
  if (const auto* conditional = std::get_if<ConditionalWork>(&work)) return conditional->bodies;
  return {};
}

Graphs& Graphs::Get() {
  static Graphs* const graphs = new Graphs;
  return *graphs;
}

CudaResult<GraphId> Graphs::Create(bool is_owned) {
  if (graphs_.size() >= kMostGraphs) return TooMany(kMostGraphs, "graphs");
  graphs_[next_graph_].is_owned = is_owned;
  return next_graph_++;
}

void Graphs::Destroy(GraphId graph) {
  const auto found = graphs_.find(graph);
  if (found == graphs_.end()) return;
  const std::vector<NodeId> nodes = std::move(found->second.nodes);
  graphs_.erase(found);
  for (const NodeId id : nodes) {
    const auto node = nodes_.extract(id);
    edges_ -= node.mapped().before.size();
    for (const GraphId inner : InnerGraphs(node.mapped().work)) Destroy(inner);
  }
}

CudaResult<GraphId> Graphs::Clone(GraphId graph, bool is_owned) {
  auto made = Create(is_owned);
  if (!made) return made;
  const auto fail = [&](const CudaFault& fault) -> CudaResult<GraphId> {
    Destroy(*made);
    return fault;
  };
  std::map<NodeId, NodeId> clones;
  const std::vector<NodeId> nodes = graphs_.at(graph).nodes;
  for (const NodeId id : nodes) {
    const Node& node = nodes_.at(id);
    NodeWork work = node.work;
    if (auto* child = std::get_if<ChildWork>(&work)) {
      auto inner = Clone(child->graph, true);
      if (!inner) return fail(inner.error());
      graphs_.at(*inner).parent = *made;
      child->graph = *inner;
    }
    auto added = Add(*made, {}, std::move(work), node.device);
    if (!added) return fail(added.error());
    nodes_.at(*added).original = id;
    clones[id] = *added;
  }
  for (const NodeId id : nodes) {
    for (const NodeId before : nodes_.at(id).before) {
      if (auto connected = Connect(clones.at(before), clones.at(id)); !connected)
        return fail(connected.error());
    }
  }
  return made;
}

CudaResult<NodeId> Graphs::Add(GraphId graph, std::vector<NodeId> before, NodeWork work, std::size_t device) {
  const auto fail = [&](const CudaFault& fault) -> CudaResult<NodeId> {
    for (const GraphId inner : InnerGraphs(work)) Destroy(inner);
    return fault;
  };
  if (nodes_.size() + reserved_ >= kMostNodes) return fail(TooMany(kMostNodes, "nodes of graphs"));
  if (edges_ + before.size() > kMostEdges) return fail(TooMany(kMostEdges, "edges of graphs"));
  edges_ += before.size();
  nodes_[next_node_] = {graph, device, std::move(work), std::move(before), 0};
  graphs_.at(graph).nodes.push_back(next_node_);
  return next_node_++;
}

void Graphs::Remove(NodeId id) {
  const GraphId graph = nodes_.at(id).graph;
  for (const NodeId after : After(id)) Disconnect(id, after);
  const auto node = nodes_.extract(id);
  edges_ -= node.mapped().before.size();
  for (const GraphId inner : InnerGraphs(node.mapped().work)) Destroy(inner);
  if (const auto* conditional = std::get_if<ConditionalWork>(&node.mapped().work))
    conditional->condition->is_used = false;
  std::erase(graphs_.at(graph).nodes, id);
}

bool Graphs::CanConnect(NodeId from, NodeId to) const {
  const Node& node = nodes_.at(to);
  return from != to && nodes_.at(from).graph == node.graph &&
         std::ranges::find(node.before, from) == node.before.end();
}

CudaStatus Graphs::Connect(NodeId from, NodeId to) {
  if (edges_ >= kMostEdges) return TooMany(kMostEdges, "edges of graphs");
  nodes_.at(to).before.push_back(from);
  ++edges_;
  return Unit{};
}

bool Graphs::Disconnect(NodeId from, NodeId to) {
  const bool was_there = std::erase(nodes_.at(to).before, from) != 0;
  if (was_there) --edges_;
  return was_there;
}

Graph* Graphs::Find(GraphId graph) {
  const auto found = graphs_.find(graph);
  return found == graphs_.end() ? nullptr : &found->second;
}

Node* Graphs::FindNode(NodeId node) {
  const auto found = nodes_.find(node);
  return found == nodes_.end() ? nullptr : &found->second;
}

bool Graphs::HasAny(GraphId graph, const std::function<bool(const NodeWork&)>& is_wanted) const {
  return std::ranges::any_of(graphs_.at(graph).nodes, [&](NodeId id) {
    const NodeWork& work = nodes_.at(id).work;
    return is_wanted(work) ||
           std::ranges::any_of(InnerGraphs(work), [&](GraphId inner) { return HasAny(inner, is_wanted); });
  });
}

bool Graphs::HasMemoryNodes(GraphId graph) const {
  return HasAny(graph, [](const NodeWork& work) {
    return std::holds_alternative<AllocationWork>(work) || std::holds_alternative<FreeWork>(work);
  });
}

bool Graphs::AllowsOneInstance(GraphId graph) const {
  return HasMemoryNodes(graph) ||
         HasAny(graph, [](const NodeWork& work) { return std::holds_alternative<ConditionalWork>(work); });
}

std::vector<NodeId> Graphs::After(NodeId node) {
  std::vector<NodeId> after;
  for (const NodeId other : graphs_.at(nodes_.at(node).graph).nodes) {
    if (std::ranges::count(nodes_.at(other).before, node) != 0) after.push_back(other);
  }
  return after;
}

CudaStatus Graphs::Reserve(std::size_t nodes) {
  if (nodes_.size() + reserved_ + nodes > kMostNodes) return TooMany(kMostNodes, "nodes of graphs");
  reserved_ += nodes;
  return Unit{};
}

std::optional<GraphId> Graphs::ToGraph(Runtime& runtime, void* handle) {
  const auto found = Unpack(runtime, handle);
  if (!found || found->tag != HandleTag::kGraph || Find(found->id) == nullptr) return std::nullopt;
  return found->id;
}

std::optional<NodeId> Graphs::ToNode(Runtime& runtime, void* handle) {
  const auto found = Unpack(runtime, handle);
  if (!found || found->tag != HandleTag::kGraphNode || FindNode(found->id) == nullptr) return std::nullopt;
  return found->id;
}

std::optional<std::vector<NodeId>> Graphs::ToNodes(Runtime& runtime, GraphId graph, void* const* handles,
                                                   std::size_t count) {
  if (count != 0 && handles == nullptr) return std::nullopt;
  std::vector<NodeId> nodes;
  std::set<NodeId> different;
  for (std::size_t i = 0; i < count; ++i) {
    const auto node = ToNode(runtime, handles[i]);
    if (!node || FindNode(*node)->graph != graph || !different.insert(*node).second) return std::nullopt;
    nodes.push_back(*node);
  }
  return nodes;
}

void* Graphs::Handle(GraphId graph) {
  return Pack({graph, 0, HandleTag::kGraph});
}

void* Graphs::NodeHandle(NodeId node) {
  return Pack({node, 0, HandleTag::kGraphNode});
}

}  // namespace warplings::runtime
