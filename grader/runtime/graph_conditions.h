// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "grader/runtime/graph_model.h"

/// Conditions of graphs: numbers by which conditional nodes choose what runs.
///
/// A condition is a word of device memory, and its handle the word's address: cudaGraphSetConditional stores
/// there (grader/virtual_gpu/ptx/device_runtime.h), so that the device finds a wrong handle and a race as it
/// finds those of any store. The word is there as long as anybody holds the condition: its graph, a node with
/// it, or a graph that is ready, which still runs when the graph that it was made of is destroyed (as on an
/// H200). The mutex of the Runtime guards all of this.
namespace warplings::runtime {

struct GraphCondition {
  DevicePointer address = 0;  ///< Its handle.
  GraphId graph = 0;          ///< Its own nodes may use it, and those of graphs within it.
  std::size_t device = 0;
  unsigned generation = 0;  ///< Of its device (Runtime::generation): a reset destroys it.
  std::uint32_t default_value = 0;
  bool has_default = false;
  bool is_used = false;  ///< By a node.
};
using ConditionList = std::vector<std::shared_ptr<GraphCondition>>;

/// Those of the graph and of its child graphs: one launch runs these together.
ConditionList GatherConditions(GraphId graph);
/// Gives conditions their default values, if they are to have them at each launch.
Outcome SetDefaults(Runtime& runtime, const ConditionList& conditions, void* stream);
/// The condition's value when the stream gets here. Waits for that.
Outcome ReadCondition(Runtime& runtime, const ConditionalWork& work, void* stream, std::uint32_t& value);
/// Whether a conditional node's body may have such a node.
bool MayBeInBody(const NodeWork& work);

/// The parameters of a conditional node of the graph become its work; its bodies are made.
Outcome MakeConditional(GraphId graph, const ConditionalParameters& parameters, NodeWork& work);
/// Nothing runs on the device in use: the words that nobody needs any more are given back.
void ReleaseConditions(Runtime& runtime);

}  // namespace warplings::runtime
