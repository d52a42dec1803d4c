// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "grader/virtual_gpu/exec/context.h"
#include "grader/virtual_gpu/memory/race_shadow.h"

namespace warplings::vgpu {

/// The earlier one of two accesses that race.
struct OtherAccess {
  const Inst* inst = nullptr;  ///< Null: not known.
  std::uint32_t warp = 0, lane = 0;
  Access access = Access::kRead;
  bool same_value = false;        ///< Both write the same.
  bool same_instruction = false;  ///< Two lanes of one execution.
};

/// "reads", "writes": what an access does, as messages say it.
std::string Verb(Access access);

/// Turns what the interpreter and the checks see into findings: adds kernel, block, thread, source line
/// and the name of the array, words a sentence, folds repetitions. One for each grid.
class FaultReporter {
 public:
  explicit FaultReporter(const GridRequest& grid) : grid_(grid) {}

  void OutOfBoundsGlobal(const WarpContext& warp, const Inst& inst, int lane, std::uint64_t address,
                         std::uint32_t bytes, Access access);
  /// Of shared, local or parameter memory; `offset` into the window.
  void OutOfBoundsWindow(const WarpContext& warp, const Inst& inst, int lane, MemorySpace space,
                         std::uint64_t offset, std::uint32_t bytes, Access access);
  void Misaligned(const WarpContext& warp, const Inst& inst, int lane, MemorySpace space,
                  std::uint64_t address, std::uint32_t bytes, Access access);
  void Uninitialised(const WarpContext& warp, const Inst& inst, int lane, MemorySpace space,
                     std::uint64_t address, std::uint32_t bytes);
  /// Nothing orders two accesses of one block, one of which writes.
  void Race(const WarpAccess& access, int lane, MemorySpace space, const OtherAccess& other);
  /// Likewise of two blocks that run in turns.
  void RaceBetweenBlocks(const WarpAccess& access, int lane, const OtherAccess& other);
  /// Touches what a cp.async, `copy`, is still writing; `own`: of the same thread.
  void CopyUnderWay(const WarpAccess& access, int lane, const Inst* copy, bool own);
  /// Looks through the records of a launch that has ended for granules that one block wrote and another
  /// touched; one finding for each array and pair of lines. What the blocks saw of these arrays by themselves
  /// depended on which of them came first: that is dropped.
  void BlockRaces(const RaceShadow& shadow);
  /// All races in global memory, of a launch that was broken off.
  void DropGlobalRaces();

  /// Only part of a warp's live lanes (`arrived`) reached an aligned barrier.
  void PartialWarpAtBarrier(const WarpContext& warp, const Inst& inst, Mask arrived);
  /// Likewise a matrix instruction, which all lanes execute together.
  void PartialWarpAtCollective(const WarpContext& warp, const Inst& inst, Mask arrived);
  /// Threads of the block met at two different barriers.
  void DifferentBarriers(const WarpContext& warp, const Inst& first, const Inst& second, Mask lanes);
  /// A barrier that threads left out by returning.
  void BarrierAfterExit(const WarpContext& warp, const Inst& inst, Mask lanes, std::uint32_t returned);
  void Deadlock(const BlockContext& block);
  void EndlessLoop(const BlockContext& block);
  /// The user has ended the program.
  void Interrupted(const BlockContext& block);
  void Trap(const WarpContext& warp, const Inst& inst, Mask lanes, const std::string& what);

  void InvalidFree(const WarpContext& warp, const Inst& inst, int lane, const std::string& what);
  void StackOverflow(const WarpContext& warp, const Inst& inst, Mask lanes);

  std::vector<Finding> Take();
  /// Takes over what another reporter of the same grid has; what both have is one finding, this one's.
  void Absorb(FaultReporter& later);

 private:
  using Key = std::tuple<FindingKind, std::uint32_t, std::uint32_t, std::uint64_t>;

  Finding Begin(FindingKind kind, Severity severity, const WarpContext& warp, const Inst& inst,
                int lane) const;
  /// True when this finding was seen before, and was counted there: nothing is left to describe.
  bool Fold(const Key& key, std::uint64_t count = 1);
  void DescribeGlobal(Finding& finding, const Region& region, std::uint64_t address) const;
  void DescribeShared(Finding& finding, std::uint64_t offset) const;
  std::string ObjectName(const Region& region) const;
  void BlockRace(const RaceShadow& shadow, const Region& region, std::uint64_t address);
  /// Keeps the findings for which keep(finding, key).
  template <class Predicate>
  void KeepIf(Predicate keep);
  std::string LaneOrWarp(const WarpContext& warp, const OtherAccess& other) const;
  std::string WhoWaits(const BlockContext& block) const;

  const GridRequest& grid_;
  std::vector<Finding> findings_;
  std::vector<Key> keys_;  ///< By finding.
  std::map<Key, std::size_t> folded_;
};

}  // namespace warplings::vgpu
