// SPDX-License-Identifier: Apache-2.0
// Part of engine_level.cc: the observers of a block (checks, counters). The engine calls them through their
// interface and includes none of them.
#pragma once

#include <initializer_list>
#include <memory>
#include <vector>

#include "grader/virtual_gpu/machine/faults.h"
#include "grader/virtual_gpu/machine/lanes.h"

namespace warplings::vgpu::WARPLINGS_LEVEL {

/// The observers of a block. Each sees an access before the observers that were added later do.
class ObserverSet {
 public:
  /// `looks_at`: the memories whose accesses it sees.
  void Add(std::unique_ptr<Observer> observer, std::initializer_list<MemorySpace> looks_at) {
    all_.push_back(observer.get());
    for (MemorySpace space : looks_at) Of(space).push_back(observer.get());
    owned_.push_back(std::move(observer));
  }

  /// From now on the block calls these observers; they have to outlive it.
  void Watch(BlockContext& block) const {
    block.observers = all_;
    block.global_observers = global_;
    block.shared_observers = shared_;
    block.local_observers = local_;
    block.constant_observers = constant_;
  }

 private:
  using List = std::vector<Observer*>;

  List& Of(MemorySpace space) {
    switch (space) {
      case MemorySpace::kShared: return shared_;
      case MemorySpace::kLocal: return local_;
      case MemorySpace::kConstant: return constant_;
      default: return global_;
    }
  }

  std::vector<std::unique_ptr<Observer>> owned_;
  List all_, global_, shared_, local_, constant_;
};

/// Given to the engine with a grid: makes the observers of its blocks, and the object that collects their
/// findings.
struct Observation {
  /// For the blocks that one host thread runs; `counts` are that thread's, one entry an instruction.
  ObserverSet (*make_observers)(const GridRequest& grid, std::vector<InstCounts>& counts);
  std::unique_ptr<Faults> (*make_faults)(const GridRequest& grid);
};

}  // namespace warplings::vgpu::WARPLINGS_LEVEL
