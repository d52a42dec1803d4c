// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "grader/runtime/graph_model.h"

/// Conditions of graphs: numbers by which conditional nodes choose what runs.
///
/// A condition is a word of device memory, and its handle the word's address: cudaGraphSetConditional stores
/// there (grader/virtual_gpu/ptx/device_runtime.h), so that the device finds a wrong handle and a race as it
/// finds those of any store. The mutex of the Runtime guards all of this.
namespace warplings::runtime {

/// Gives the conditions of the graph their default values, if they are to have them at each launch.
Outcome SetDefaults(Runtime& runtime, GraphId graph, void* stream);
/// The condition's value when the stream gets here. Waits for that.
Outcome ReadCondition(Runtime& runtime, const ConditionalWork& work, void* stream, std::uint32_t& value);
/// Whether a conditional node's body may have such a node.
bool MayBeInBody(const NodeWork& work);

/// The parameters of a conditional node become its work; its bodies are made.
Outcome MakeConditional(const ConditionalParameters& parameters, NodeWork& work);
/// A graph with a condition that no node has cannot be made ready.
bool HasUnusedCondition(GraphId graph);

}  // namespace warplings::runtime
