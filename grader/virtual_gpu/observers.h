// SPDX-License-Identifier: Apache-2.0
// Part of engine_level.cc: the checks, counters and recorders that a grid's request asks for, as the engine
// gets them. A new one is added here, and nowhere else.
#pragma once

#include "grader/virtual_gpu/checks/access_ranges.h"
#include "grader/virtual_gpu/checks/fault_reporter.h"
#include "grader/virtual_gpu/checks/global_checks.h"
#include "grader/virtual_gpu/checks/global_races.h"
#include "grader/virtual_gpu/checks/local_checks.h"
#include "grader/virtual_gpu/checks/shared_checks.h"
#include "grader/virtual_gpu/counters/access_recorder.h"
#include "grader/virtual_gpu/counters/array_traffic.h"
#include "grader/virtual_gpu/counters/block_footprint.h"
#include "grader/virtual_gpu/counters/memory_counters.h"
#include "grader/virtual_gpu/engine/observer_set.h"

namespace warplings::vgpu::WARPLINGS_LEVEL {

inline ObserverSet MakeObservers(const GridRequest& grid, std::vector<InstCounts>& counts) {
  ObserverSet observers;
  if (grid.accesses)
    observers.Add(std::make_unique<AccessRecorder>(*grid.accesses),
                  {MemorySpace::kGlobal, MemorySpace::kShared});
  if (grid.observation.checks && grid.observation.access_checks) {
    observers.Add(std::make_unique<SharedChecks>(*grid.program), {MemorySpace::kShared});
    observers.Add(std::make_unique<GlobalChecks>(), {MemorySpace::kGlobal});
    if (grid.races)
      observers.Add(std::make_unique<GlobalRaces>(*grid.races, *grid.program), {MemorySpace::kGlobal});
    if (grid.program->local_bytes)
      observers.Add(std::make_unique<LocalChecks>(*grid.program), {MemorySpace::kLocal});
  } else {
    observers.Add(std::make_unique<GlobalWrites>(), {MemorySpace::kGlobal});
  }
  if (grid.observation.counters)
    observers.Add(std::make_unique<MemoryCounters>(counts),
                  {MemorySpace::kGlobal, MemorySpace::kShared, MemorySpace::kConstant});
  if (grid.arrays)
    observers.Add(std::make_unique<ArrayTrafficCounter>(*grid.arrays, *grid.program), {MemorySpace::kGlobal});
  if (grid.touched)
    observers.Add(std::make_unique<AccessRanges>(*grid.touched, *grid.program),
                  {MemorySpace::kGlobal, MemorySpace::kConstant});
  if (grid.footprint)
    observers.Add(std::make_unique<BlockFootprint>(*grid.footprint), {MemorySpace::kGlobal});
  return observers;
}

inline std::unique_ptr<Faults> MakeFaults(const GridRequest& grid) {
  return std::make_unique<FaultReporter>(grid);
}

}  // namespace warplings::vgpu::WARPLINGS_LEVEL
