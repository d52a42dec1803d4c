// SPDX-License-Identifier: Apache-2.0
// Part of engine_level.cc: runs a block of a grid.
//
// How it works. Blocks run one after the other, each warp until it ends or has to wait. Lanes of a warp
// that diverge at a branch become *splits*, each with a program counter of its own (independent thread
// scheduling). They reconverge at the branch's immediate post-dominator, where the first to arrive wait for
// the rest, as under BSSY/BSYNC on hardware. A split that runs long without waiting yields to the other
// splits of its warp, a warp to the other warps of its block, and a block to the next blocks, so that code
// which spins until another thread writes makes progress.
#pragma once

#include <algorithm>
#include <cstring>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "grader/virtual_gpu/engine/frame_pool.h"
#include "grader/virtual_gpu/engine/observer_set.h"
#include "grader/virtual_gpu/engine/special_values.h"
#include "grader/virtual_gpu/machine/lanes.h"

namespace warplings::vgpu::WARPLINGS_LEVEL {

/// For its scope: the warp's registers are those of the function that the split is in.
class FrameScope {
 public:
  FrameScope(WarpContext& warp, const Split& split) : warp_(warp), before_(warp.base[0]) {
    warp.base[0] = split.frame;
  }
  ~FrameScope() { warp_.base[0] = before_; }
  FrameScope(const FrameScope&) = delete;
  FrameScope& operator=(const FrameScope&) = delete;

 private:
  WarpContext& warp_;
  std::byte* const before_;
};

/// One block and its storage: registers, shared memory, local memory, constants.
class BlockRun {
 public:
  BlockRun(const GridRequest& grid, const Observation& observation, AccessPatterns& patterns,
           std::vector<InstCounts>& counts)
      : grid_(grid),
        counts_(counts),
        patterns_(patterns),
        observers_(observation.make_observers(grid, counts)) {
    block_.grid = &grid;
    observers_.Watch(block_);
    Allocate();
  }

  /// `faults` takes the block's findings, `printed` its printf output.
  void Start(u64 linear_index, Faults& faults, std::string& printed) {
    block_.faults = &faults;
    block_.printed = &printed;
    const Dim3& extent = grid_.grid;
    block_.linear_index = linear_index;
    block_.index = {u32(linear_index % extent.x), u32(linear_index / extent.x % extent.y),
                    u32(linear_index / extent.x / extent.y)};
    block_.live_threads = block_.threads;
    block_.clock = 0;
    block_.barriers.fill({});
    out_of_step_ = false;
    spinning_rounds_ = 0;
    // All ones is a NaN in every format: unwritten shared memory shows in the result.
    std::memset(block_.shared, 0xff, block_.shared_bytes);
    std::fill(local_.begin(), local_.end(), std::byte{0xff});
    for (WarpContext& warp : block_.warps) StartWarp(warp);
    for (Observer* observer : block_.observers) observer->OnBlockStart(block_);
  }

  enum class Outcome { kDone, kYielded, kDeadlocked, kTrapped, kAssertFailed, kOutOfBudget };

  /// Runs until the block has ended, has executed `quantum` warp instructions, or only waits.
  Outcome Run(u64 quantum, u64& budget) {
    const u64 stop_at = budget > quantum ? budget - quantum : 0;
    while (block_.live_threads) {
      bool progress = false, only_spins = true;
      for (WarpContext& warp : block_.warps) {
        while (Split* split = PickRunnable(warp)) {
          progress = true;
          spun_ = false;
          if (!RunSplit(warp, *split, budget)) return stopped_by_;
          only_spins = only_spins && spun_;
          if (has_yielded_) break;
        }
        has_yielded_ = false;
      }
      if (!progress && !ReleaseStuck()) {
        block_.faults->Deadlock(block_);
        return Outcome::kDeadlocked;
      }
      spinning_rounds_ = only_spins ? spinning_rounds_ + 1 : 0;
      // If every runnable split only spins, the block waits for another block. A block that runs by itself
      // yields to nobody: with nothing left of its budget, its next turn says that it does not end.
      const bool takes_turns = quantum != std::numeric_limits<u64>::max();
      if (takes_turns && (budget <= stop_at || only_spins) && block_.live_threads) return Outcome::kYielded;
    }
    return Outcome::kDone;
  }

  const BlockContext& block() const { return block_; }
  /// The largest number of instructions that one warp of any block so far has executed.
  u64 longest_warp() const { return longest_warp_; }
  /// Whether some thread has spun, waiting for others, since the last call.
  bool ConsumeSpinFlag() { return std::exchange(has_spun_, false); }

 private:
  /// A split yields after this many warp instructions.
  static constexpr u64 kSplitQuantum = 20'000;
  /// Where blocks often wait for each other, their splits yield sooner.
  static constexpr u64 kShortSplitQuantum = 1'000;
  /// A split is taken to spin if at least one in so many instructions of its turn was an atomic or volatile
  /// access.
  static constexpr u64 kSpinningPart = 20;
  /// Where blocks often wait for each other, a spinning split is first taken to wait for another block; after
  /// so many rounds for lanes of its own warp.
  static constexpr u64 kRoundsUntilTorn = 20;

  void Allocate() {
    const Program& program = *grid_.program;
    block_.threads = u32(grid_.block.Volume());
    const u32 warps = (block_.threads + kWarpSize - 1) / kWarpSize;
    block_.shared_bytes =
        program.shared_bytes + (program.uses_dynamic_shared ? grid_.dynamic_shared_bytes : 0);
    shared_.resize(block_.shared_bytes + 64);
    block_.shared = Aligned(shared_.data());
    const std::size_t warp_bytes = RoundUp(program.kernel.frame_bytes) + RoundUp(program.special_bytes);
    registers_.resize(warps * warp_bytes + 64);
    local_.resize(std::size_t{warps} * kWarpSize * program.local_bytes);
    constants_.resize(program.constants.size() + 64);
    std::byte* constants = Aligned(constants_.data());
    std::copy(program.constants.begin(), program.constants.end(), constants);
    std::byte* next = Aligned(registers_.data());
    block_.warps.resize(warps);
    for (u32 i = 0; i < warps; ++i) {
      WarpContext& warp = block_.warps[i];
      warp.block = &block_;
      warp.patterns = patterns_.data();
      warp.recognises_patterns = grid_.recognise_patterns;
      warp.index = i;
      warp.base = {next, constants, next + RoundUp(program.kernel.frame_bytes), nullptr};
      kernel_frames_.push_back(next);
      warp.local = local_.data() + std::size_t{i} * kWarpSize * program.local_bytes;
      next += warp_bytes;
    }
  }

  static std::size_t RoundUp(std::size_t bytes) { return (bytes + 63) / 64 * 64; }
  static std::byte* Aligned(std::byte* p) { return FramePool::Aligned(p); }

  void StartWarp(WarpContext& warp) {
    const u32 first = warp.index * kWarpSize;
    const u32 lanes = std::min<u32>(kWarpSize, block_.threads - first);
    warp.live = lanes == kWarpSize ? kAllLanes : (1u << lanes) - 1;
    std::byte* frame = kernel_frames_[warp.index];
    const FunctionCode& kernel = grid_.program->kernel;
    OpenFrame(kernel, frame, 0);
    warp.splits.assign(
        1, Split{kernel.entry, warp.live, -1, Split::State::kRunnable, 0, frame, kernel.local_bytes});
    warp.divergences.clear();
    warp.is_torn = false;
    warp.instructions = 0;
    for (const auto& slot : grid_.program->specials) FillSpecial(warp, slot);
  }

  Split* PickRunnable(WarpContext& warp) {
    for (Split& split : warp.splits) {
      if (split.state == Split::State::kRunnable) return &split;
    }
    return nullptr;
  }

  // A split's turn: run_loop.h.
  /// Runs one split until it waits, ends, merges or gives way. False: the grid has to stop.
  bool RunSplit(WarpContext& warp, Split& split, u64& budget);
  template <bool kCount>
  bool RunLoop(WarpContext& warp, Split& start, u64& budget);
  /// How a turn continues after an instruction that moves the program counter or waits.
  enum class Next { kGoOn, kEndTurn, kStopGrid };
  /// Executes such an instruction for the lanes in `mask` (not empty); `since`: the number of instructions
  /// that the split has executed since it was last written back.
  template <bool kCount>
  Next RunControl(WarpContext& warp, Split& current, std::size_t slot, const Inst& in, Mask mask, u64 since,
                  u64& budget);
  bool EndTurn(WarpContext& warp, std::size_t slot, u64 given, u64 spins, u64& budget);
  void Spend(WarpContext& warp, u64 instructions, u64& budget);
  void ReadClockAt(WarpContext& warp, const Inst& in, Mask mask, u64 since);
  static void Count(InstCounts& counts, Mask mask) {
    ++counts.executed;
    counts.lanes += static_cast<u64>(__builtin_popcount(mask));
  }

  // Lanes that diverge and reconverge: divergence.h.
  static Divergence& DivergenceOf(WarpContext& warp, std::int32_t node) {
    return warp.divergences[static_cast<std::size_t>(node)];
  }
  /// The lanes in `taken` become a split of their own; `current` continues with those that fall through.
  void Diverge(WarpContext& warp, Split& current, std::size_t slot, const Inst& in, Mask taken);
  /// brx.idx: the lanes with the first lane's target become a split of their own; the rest stays at the
  /// instruction and branches next. False: an index beyond the table.
  bool BranchByTable(WarpContext& warp, Split& current, std::size_t slot, const Inst& in, Mask mask);
  static std::int32_t AddDivergence(WarpContext& warp, const Divergence& divergence);
  /// True: all lanes have arrived, and `current` continues with them. False: it waits in the divergence.
  static bool Join(WarpContext& warp, Split& current);
  /// The lanes in `gone` return: they leave their split and all divergences, which may complete some.
  void Exit(WarpContext& warp, std::size_t slot, Mask gone);
  /// All lanes have arrived: they continue as one split after the divergence.
  void Complete(WarpContext& warp, Divergence& divergence);
  void LeaveDivergence(WarpContext& warp, std::int32_t node, Mask lanes);
  /// The split at `slot` keeps the lanes in `mask`; the others, which do not execute the current instruction,
  /// or not yet, become a split of their own.
  void SplitOff(WarpContext& warp, std::size_t slot, Mask mask);
  /// The split yields: it is moved behind the others of its warp, and other warps run.
  void Yield(WarpContext& warp, std::size_t slot);
  /// No split is runnable. Lanes that wait to reconverge with lanes which wait at a barrier continue without
  /// them: threads are scheduled independently. False: there are none.
  bool ReleaseStuck();
  /// A split spins, perhaps for lanes that wait to reconverge with it and hold a lock: those continue without
  /// it. From here on lanes of the warp are apart because of the scheduler, not because of the program.
  void ReleaseWaitingLanes(WarpContext& warp);
  static bool ReleaseFirstWaitingLanes(WarpContext& warp);

  // Calls: calls.h.
  /// Sets the hidden registers of a call's frame whose local memory begins at `local`.
  static void OpenFrame(const FunctionCode& function, std::byte* frame, u32 local);
  void CloseFrame(Divergence& divergence);
  static void CopySlots(const std::vector<FrameSlot>& from, const std::byte* from_frame,
                        const std::vector<FrameSlot>& to, std::byte* to_frame, Mask mask);
  /// Calls a function for the lanes in `mask`; an indirect call calls one target after the other.
  bool Call(WarpContext& warp, std::size_t slot, const Inst& in, Mask mask);
  /// Lanes whose indirect call has different targets reconverge after it.
  static void ReconvergeBehind(WarpContext& warp, std::size_t slot, Mask lanes);
  bool CallBuiltins(WarpContext& warp, std::size_t slot, const Inst& in, Builtin builtin,
                    const CallSite& call);
  /// Lanes in `mask` return from a function: they leave the divergences inside it.
  void Return(WarpContext& warp, std::size_t slot, Mask mask);

  // Waiting for other lanes of the warp: warp_sync.h.
  /// Lanes at a ….sync instruction wait until all live lanes in their member mask have arrived.
  template <bool kCount>
  bool ArriveAtWarpSync(WarpContext& warp, std::size_t slot, const Inst& in, Mask mask);
  /// Lanes that have exited no longer count as members of a mask.
  void CheckWarpSyncsAfterExit(WarpContext& warp);
  /// Executes the instruction for the lanes whose members have all arrived. Lanes of a warp may have
  /// different member masks (tiles smaller than a warp do): those with the same mask execute together.
  template <bool kCount>
  void ReleaseWarpSync(WarpContext& warp, const Inst& in, std::int32_t pc);

  // Barriers of the block: barriers.h.
  void ArriveAtBarrier(WarpContext& warp, std::size_t slot, const Inst& in, Mask mask);
  static u32 BarrierModeOf(const Inst& in) { return (in.mods & mods::kModeMask) >> mods::kModeShift; }
  static bool AnyAtWarpSync(const WarpContext& warp);
  void CheckAlignment(const WarpContext& warp, const Inst& in, Mask mask);
  /// Counts the lanes at a barrier without a thread count.
  void CountThreads(WarpContext& warp, Split& split, const Inst& in);
  /// Counts a warp at a barrier with a thread count if all its live lanes have come to it.
  void CountWarpIfComplete(WarpContext& warp, u32 id);
  /// The split's lanes are counted: adds their votes. Lanes that only arrive go on.
  void FinishArrival(WarpContext& warp, Split& split, BarrierState& barrier);
  /// 0: the barrier has none.
  u32 ThreadCountAt(WarpContext& warp, const Split& split) const;
  const Inst& InstructionOf(const Split& split) const {
    return grid_.program->code[static_cast<std::size_t>(split.pc)];
  }
  /// Gives a split that waited at a barrier's reduction its result.
  void FinishBarrier(WarpContext& warp, const Split& split);
  void PassIfComplete(u32 id);
  /// Reports that a barrier was passed without threads that had returned before it.
  void ReportReturned(u32 id);
  /// Threads that have returned no longer count at a barrier (since compute capability 7.0).
  void CheckBarriersAfterExit(WarpContext& warp);

  const GridRequest& grid_;
  std::vector<InstCounts>& counts_;
  AccessPatterns& patterns_;
  ObserverSet observers_;
  BlockContext block_;
  std::vector<std::byte> shared_, registers_, local_, constants_;
  std::vector<std::byte*> kernel_frames_;  ///< By warp.
  FramePool frames_;
  u64 longest_warp_ = 0;
  bool has_yielded_ = false;
  Outcome stopped_by_ = Outcome::kDone;  ///< Why the grid has to stop.
  bool spun_ = false;                    ///< The last split spent its turn spinning.
  bool has_spun_ = false;                ///< Some split did, since ConsumeSpinFlag().
  u64 spinning_rounds_ = 0;              ///< Rounds over all warps, up to now, in which all splits spun.
  bool out_of_step_ = false;             ///< A divergent barrier was reported for this block.
};

}  // namespace warplings::vgpu::WARPLINGS_LEVEL
