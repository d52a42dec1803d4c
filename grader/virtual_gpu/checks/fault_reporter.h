// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "grader/virtual_gpu/machine/context.h"
#include "grader/virtual_gpu/machine/faults.h"
#include "grader/virtual_gpu/memory/race_shadow.h"

namespace warplings::vgpu {

/// "reads", "writes": what an access does, as messages say it.
Message Verb(Access access);

/// The thread at this place in a block of so many threads.
Dim3 ThreadIndex(const Dim3& block, std::uint32_t warp, std::uint32_t lane);

/// "M", "argument 2": what the region is to a reader of this kernel. A grid without a program: of no kernel.
Message NameOf(const Region& region, const GridRequest& grid);

/// The kernel's argument, from 1, that is a pointer to no memory of the device and leads to `address`, which
/// lies in none either. Of several the one that points to the nearest address below: the arrays of the host
/// do not overlap. A number among the arguments is hardly ever as large as an address.
std::optional<std::size_t> ArgumentBehind(std::uint64_t address, const GridRequest& grid);

/// Turns what the interpreter and the checks see into findings: adds kernel, block, thread, source line
/// and the name of the array, words a sentence, folds repetitions. One for each grid.
class FaultReporter final : public Faults {
 public:
  explicit FaultReporter(const GridRequest& grid) : grid_(grid) {}

  void OutOfBoundsGlobal(const WarpContext& warp, const Inst& inst, int lane, std::uint64_t address,
                         std::uint32_t bytes, Access access) override;
  void OutOfBoundsWindow(const WarpContext& warp, const Inst& inst, int lane, MemorySpace space,
                         std::uint64_t offset, std::uint32_t bytes, Access access) override;
  void Misaligned(const WarpContext& warp, const Inst& inst, int lane, MemorySpace space,
                  std::uint64_t address, std::uint32_t bytes, Access access) override;
  void Uninitialised(const WarpContext& warp, const Inst& inst, int lane, MemorySpace space,
                     std::uint64_t address, std::uint32_t bytes) override;
  void Race(const WarpAccess& access, int lane, MemorySpace space, const OtherAccess& other) override;
  void RaceBetweenBlocks(const WarpAccess& access, int lane, const OtherAccess& other) override;
  void CopyUnderWay(const WarpAccess& access, int lane, const Inst* copy, bool own) override;
  void PartialWarpAtBarrier(const WarpContext& warp, const Inst& inst, Mask arrived) override;
  void PartialWarpAtCollective(const WarpContext& warp, const Inst& inst, Mask arrived) override;
  void DifferentBarriers(const WarpContext& warp, const Inst& first, const Inst& second, Mask lanes) override;
  void BarrierAfterExit(const WarpContext& warp, const Inst& inst, Mask lanes,
                        std::uint32_t returned) override;
  void ShuffleAfterExit(const WarpContext& warp, const Inst& inst, Mask arrived, Mask lanes,
                        const std::uint32_t* from) override;
  void MaskWithoutLane(const WarpContext& warp, const Inst& inst, Mask lanes) override;
  void DivisionByZero(const WarpContext& warp, const Inst& inst, Mask lanes) override;
  void Deadlock(const BlockContext& block) override;
  void EndlessLoop(const WarpContext& warp, const Split& split) override;
  void Interrupted(const BlockContext& block) override;
  void Trap(const WarpContext& warp, const Inst& inst, Mask lanes, const Message& what) override;
  void NoTexture(const WarpContext& warp, const Inst& inst, Mask lanes) override;
  void NoSurface(const WarpContext& warp, const Inst& inst, Mask lanes) override;
  void OutsideSurface(const WarpContext& warp, const Inst& inst, Mask lanes, std::uint32_t width,
                      std::uint32_t height) override;
  void InvalidFree(const WarpContext& warp, const Inst& inst, int lane, const Message& what) override;
  void InvalidLaunch(const WarpContext& warp, const Inst& inst, int lane, Severity severity,
                     const Message& what) override;
  void StackOverflow(const WarpContext& warp, const Inst& inst, Mask lanes) override;
  void Absorb(Faults& later) override;
  void EndOfIndependentBlocks(bool is_complete) override;
  std::vector<Finding> Take() override;

 private:
  void OutsideTexture(const WarpContext& warp, const Inst& inst, Mask lanes, const Message& what);
  using Key = std::tuple<FindingKind, std::uint32_t, std::uint32_t, std::uint64_t>;

  Finding Begin(FindingKind kind, Severity severity, const WarpContext& warp, const Inst& inst,
                int lane) const;
  /// True when this finding was seen before, and was counted there: nothing is left to describe.
  bool Fold(const Key& key, std::uint64_t count = 1);
  void DescribeGlobal(Finding& finding, const Region& region, std::uint64_t address) const;
  /// Of an address that is far from all memory of the device.
  void DescribeLost(Finding& finding, std::uint64_t address) const;
  void DescribeShared(Finding& finding, std::uint64_t offset) const;
  /// The array that an access outside of all arrays most likely means: of those that its instruction
  /// computes addresses from, or else of all, the nearest on either side. Null: there is none.
  const Region* MeantRegion(const Inst& inst, std::uint64_t address) const;
  const SharedArray* MeantShared(const Inst& inst, std::int64_t offset) const;
  const LocalObject* MeantLocal(const Inst& inst, std::int64_t offset) const;
  std::int64_t SizeOf(const SharedArray& array) const;
  /// Looks through the records of a launch that has ended for granules that one block wrote and another
  /// touched; one finding for each array and pair of lines. What the blocks saw of these arrays by themselves
  /// depended on which of them came first: that is dropped.
  void BlockRaces(const RaceShadow& shadow);
  /// All races in global memory, of a launch that was broken off.
  void DropGlobalRaces();
  void BlockRace(const RaceShadow& shadow, const Region& region, std::uint64_t address);
  /// Keeps the findings for which keep(finding, key).
  template <class Predicate>
  void KeepIf(Predicate keep);
  /// "thread (0, 4)": the earlier one of two threads of a block that race.
  Message OtherThread(const WarpContext& warp, int lane, const OtherAccess& other) const;
  Message WhoWaits(const BlockContext& block) const;
  int LineOf(const Split& split) const;  ///< 0 where nobody knows.
  const Inst& LoopAround(std::int32_t pc) const;
  Message MembersMissing(const WarpContext& warp, const Split& waiting) const;

  const GridRequest& grid_;
  std::vector<Finding> findings_;
  std::vector<Key> keys_;  ///< By finding.
  std::map<Key, std::size_t> folded_;
};

template <class Predicate>
void FaultReporter::KeepIf(Predicate keep) {
  std::vector<Finding> kept;
  std::vector<Key> keys;
  folded_.clear();
  for (std::size_t i = 0; i < findings_.size(); ++i) {
    if (!keep(findings_[i], keys_[i])) continue;
    folded_[keys_[i]] = kept.size();
    kept.push_back(std::move(findings_[i]));
    keys.push_back(keys_[i]);
  }
  findings_ = std::move(kept);
  keys_ = std::move(keys);
}

}  // namespace warplings::vgpu
