// SPDX-License-Identifier: Apache-2.0
// Part of engine_level.cc: who looks at a block while it runs. The engine asks them and knows none of them.
#pragma once

#include <initializer_list>
#include <memory>
#include <vector>

#include "grader/virtual_gpu/exec/faults.h"
#include "grader/virtual_gpu/exec/lanes.h"

namespace warplings::vgpu::WARPLINGS_LEVEL {

/// The observers of a block; each sees the accesses before those that were added later.
class ObserverSet {
 public:
  /// `looks_at`: the memories about whose accesses it is asked.
  void Add(std::unique_ptr<Observer> observer, std::initializer_list<MemorySpace> looks_at) {
    all_.push_back(observer.get());
    for (MemorySpace space : looks_at) Of(space).push_back(observer.get());
    owned_.push_back(std::move(observer));
  }

  /// The block tells them from now on; they have to outlive it.
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

/// What is given to the engine with a grid: who looks at its blocks, and who takes what they report.
struct Observation {
  /// For the blocks that one host thread runs; `counts`, by instruction, are that thread's.
  ObserverSet (*make_observers)(const GridRequest& grid, std::vector<InstCounts>& counts);
  std::unique_ptr<Faults> (*make_faults)(const GridRequest& grid);
};

}  // namespace warplings::vgpu::WARPLINGS_LEVEL
