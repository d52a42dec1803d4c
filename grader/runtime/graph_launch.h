// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "grader/runtime/graph_conditions.h"
#include "grader/runtime/graph_model.h"

namespace warplings::runtime {

/// A graph that is ready to launch (cudaGraphExec_t).
///
/// Theory of operation. The nodes are spread over *branches*: a node goes on in the branch of a node that it
/// waits for, or, if another goes on there, in a branch all of whose work comes before it anyway, or in a new
/// one. The first branch is the stream that the graph is launched in; each of the others is a stream of its
/// own, and events order nodes of different branches. So exactly the graph's edges order its work, and the
/// device finds races between nodes as it finds those between streams.
struct ReadyGraph {
  struct Step {
    NodeId node = 0;
    std::size_t device = 0;
    NodeWork work = {};
    std::vector<std::uint32_t> before = {};
    // Of the branches.
    std::uint32_t branch = 0;
    bool waits_for_start = false;           ///< The first of its branch, and waits for no node.
    std::vector<std::uint32_t> waits = {};  ///< The nodes of other branches that it waits for.
    bool is_awaited = false;                ///< By a node of another branch, or by the end.
    EventId event = 0;                      ///< Recorded after it if it is awaited.
    std::vector<std::shared_ptr<ReadyGraph>> bodies = {};  ///< Of a conditional node.
  };
  std::vector<Step> steps;  ///< Each after those that it waits for.
  std::uint32_t branches = 1;
  std::vector<std::uint32_t> ends;  ///< The last nodes of other branches.
  GraphId graph = 0;                ///< That it was made of, or has the parameters of.
  ConditionList conditions;         ///< That a launch sets.
  unsigned long long flags = 0;

  // On the device, from its first launch on.
  bool is_on_device = false;
  std::size_t device = 0;
  unsigned generation = 0;
  std::vector<void*> streams;  ///< Of the branches; the first is unused.
  EventId start = 0, done = 0;
  void* last_stream = nullptr;
  bool was_launched = false;
};

/// cudaGraphInstantiateFlagAutoFreeOnLaunch.
constexpr unsigned long long kAutoFree = 1;

/// Nothing, with the reason, for a cycle.
CudaResult<std::shared_ptr<ReadyGraph>> MakeReady(GraphId graph);
/// cudaGraphExecUpdateResult.
enum UpdateOutcome : int {
  kUpdated = 0,
  kUpdateError = 1,
  kTopologyChanged = 2,
  kTypeChanged = 3,
  kParametersChanged = 5
};
/// What cudaGraphExecUpdateResultInfo says: nodes of the new graph, or 0.
struct UpdateReport {
  UpdateOutcome outcome = kUpdated;
  NodeId node = 0;  ///< That does not fit.
  NodeId from = 0;  ///< What this one waits for, if that does not fit.
};
/// Gives a graph that is ready the parameters of another one's nodes, if that has the same shape. Memory that
/// it allocates is the other one's from then on (as on an H200).
UpdateReport UpdateReady(const std::shared_ptr<ReadyGraph>& ready, GraphId graph);
Outcome LaunchReady(Runtime& runtime, ReadyGraph& ready, void* stream);
void DestroyReady(Runtime& runtime, ReadyGraph& ready);

}  // namespace warplings::runtime
