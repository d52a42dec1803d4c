// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "grader/runtime/cuda_abi.h"
#include "grader/runtime/host_functions.h"
#include "grader/runtime/work.h"

/// Graphs as the program builds or captures them.
///
/// Theory of operation. Graphs live in this process alone. Launching one makes ordinary requests, in streams
/// that events order as the graph's edges do (graph_launch.cc). So a device needs no graphs; checks, counts
/// and the judge see a graph's kernels and copies as if the program had issued each by itself.
///
/// Graphs and nodes are numbered, and handles hold these numbers, so that a wrong handle is found out. The
/// mutex of the Runtime guards all of this.
namespace warplings::runtime {

using GraphId = std::uint64_t;
using NodeId = std::uint64_t;

/// A graph within a graph, which belongs to its node.
struct ChildWork {
  GraphId graph = 0;
};
struct EmptyWork {};
struct EventWait {
  void* event = nullptr;
};
struct EventRecord {
  void* event = nullptr;
};
/// Memory that a graph allocates or frees (graph_memory.h).
struct AllocationWork {
  std::shared_ptr<struct GraphAllocation> memory;
};
struct FreeWork {
  std::shared_ptr<struct GraphAllocation> memory;
};
/// Chooses among graphs, its bodies, which belong to its node (graph_conditions.h).
struct ConditionalWork {
  std::shared_ptr<struct GraphCondition> condition;
  int type = 0;  ///< cudaGraphConditionalNodeType.
  std::vector<GraphId> bodies;
  std::vector<void*> handles;  ///< Those of the bodies: the array that the program gets.
};
using NodeWork = std::variant<KernelWork, CopyWork, FillWork, HostCall, ChildWork, EmptyWork, EventWait,
                              EventRecord, AllocationWork, FreeWork, ConditionalWork>;

/// cudaGraphNodeType.
int TypeOf(const NodeWork& work);
/// The graphs that belong to a node with this work.
std::vector<GraphId> InnerGraphs(const NodeWork& work);

struct Node {
  GraphId graph = 0;
  std::size_t device = 0;
  NodeWork work;
  std::vector<NodeId> before;  ///< What it waits for: different nodes of its graph.
  NodeId original = 0;         ///< The node that it was cloned from.
};

struct Graph {
  std::vector<NodeId> nodes;  ///< In the order in which they were added.
  /// Belongs to a node or a capture: the program may not destroy it.
  bool is_owned = false;
  bool is_body = false;  ///< Of a conditional node: it is launched by that alone.
  GraphId parent = 0;    ///< The graph of the node that it belongs to; 0: of none.
  std::vector<std::shared_ptr<GraphCondition>> conditions;
  /// Made ready with nodes of which only one instance may exist (Graphs::AllowsOneInstance).
  std::weak_ptr<struct ReadyGraph> instance;
};

/// The error of a program that has too many; says so on standard error.
CudaFault TooMany(std::size_t limit, const char* what);

/// All graphs of the program.
class Graphs {
 public:
  static Graphs& Get();

  CudaResult<GraphId> Create(bool is_owned = false);
  void Destroy(GraphId graph);
  CudaResult<GraphId> Clone(GraphId graph, bool is_owned);
  CudaResult<NodeId> Add(GraphId graph, std::vector<NodeId> before, NodeWork work, std::size_t device);
  void Remove(NodeId node);
  /// False for an edge that is there already, from a node to itself, or between graphs.
  bool CanConnect(NodeId from, NodeId to) const;
  CudaStatus Connect(NodeId from, NodeId to);
  bool Disconnect(NodeId from, NodeId to);

  Graph* Find(GraphId graph);
  Node* FindNode(NodeId node);
  /// Whether the graph, or a graph within it, has such a node.
  bool HasAny(GraphId graph, const std::function<bool(const NodeWork&)>& is_wanted) const;
  /// Nodes that allocate or free memory, …
  bool HasMemoryNodes(GraphId graph) const;
  /// … or that are conditional: such a graph cannot be cloned or be a child, and is ready once at a time.
  bool AllowsOneInstance(GraphId graph) const;
  /// The nodes that wait for this one.
  std::vector<NodeId> After(NodeId node);
  /// Accounts for the nodes of a graph that is made ready to launch.
  CudaStatus Reserve(std::size_t nodes);
  void Release(std::size_t nodes) { reserved_ -= nodes; }

  // Handles. Nothing for one that is wrong.
  std::optional<GraphId> ToGraph(Runtime& runtime, void* handle);
  std::optional<NodeId> ToNode(Runtime& runtime, void* handle);
  /// Different nodes of the graph; nothing otherwise.
  std::optional<std::vector<NodeId>> ToNodes(Runtime& runtime, GraphId graph, void* const* handles,
                                             std::size_t count);
  static void* Handle(GraphId graph);
  static void* NodeHandle(NodeId node);

 private:
  /// Of all graphs together. More than programs of courses need by far.
  static constexpr std::size_t kMostNodes = 1 << 16, kMostEdges = 1 << 20, kMostGraphs = 1 << 12;

  std::map<GraphId, Graph> graphs_;
  std::map<NodeId, Node> nodes_;
  std::size_t edges_ = 0, reserved_ = 0;
  GraphId next_graph_ = 1;
  NodeId next_node_ = 1;
};

}  // namespace warplings::runtime
