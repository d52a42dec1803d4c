// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "grader/runtime/graph_model.h"

/// Memory that nodes of graphs allocate and free.
///
/// Theory of operation. An allocation has its address from the day on which its node is made. The device then
/// keeps the addresses without memory behind them; running the node puts memory there, and running a node
/// that frees it, or cudaFree or cudaFreeAsync, takes it away. Whether it is there is known here when a graph
/// is launched, before the device gets to it: launches are in order of issue. The mutex of the Runtime guards
/// all of this.
namespace warplings::runtime {

struct ReadyGraph;

/// Nodes and graphs that are ready hold it.
struct GraphAllocation {
  DevicePointer address = 0;
  std::uint64_t bytes = 0;
  std::size_t device = 0;
  unsigned generation = 0;  ///< Of its device (Runtime::generation): a reset destroys it.
  GraphId owner = 0;
  bool is_there = false;  ///< Its memory, from the node that allocates it to where it is freed.
  bool is_freed_by_owner = false, is_freed_by_others = false;  ///< By a node.
};

/// A node of the graph that allocates `bytes` on the device in use.
Outcome MakeAllocation(Runtime& runtime, GraphId graph, std::size_t bytes, void** pointer, NodeWork& work);
/// A node of the graph that frees what a node, of this graph or another one, allocates.
Outcome MakeFree(Runtime& runtime, GraphId graph, void* pointer, NodeWork& work);

/// Before a launch: what an earlier launch has left is freed in the stream, if the graph is to do so;
/// otherwise that is an error.
Outcome PrepareMemory(Runtime& runtime, const ReadyGraph& ready, void* stream);
Outcome RunAllocation(Runtime& runtime, const AllocationWork& work, void* stream);
Outcome RunFree(Runtime& runtime, const FreeWork& work, void* stream);
/// cudaFreeAsync and cudaFree. Nothing: no graph's memory.
std::optional<Outcome> FreeOfGraph(Runtime& runtime, const void* pointer, void* stream);
std::optional<Outcome> FreeOfGraphNow(Runtime& runtime, const void* pointer);
/// Memory that the graph which allocates it has a node to free.
bool IsFreedByItsGraph(const void* pointer);
/// Memory of a graph that is not there at present.
bool IsAbsentGraphMemory(Runtime& runtime, const void* pointer);
/// Nothing runs on the device in use: the addresses that no graph needs any more are given back.
void ReleaseGraphMemory(Runtime& runtime);

}  // namespace warplings::runtime
