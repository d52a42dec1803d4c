// SPDX-License-Identifier: Apache-2.0
// Part of engine_level.cc: runs a grid.
//
// Theory of operation. Blocks run one after the other, each warp until it ends or has to wait. Lanes of
// a warp that part at a branch become *splits*, each with a program counter of its own (independent
// thread scheduling); they meet again at the branch's immediate post-dominator, where the first to come
// wait for the rest, as under BSSY/BSYNC on hardware. A split that runs long without waiting gives way
// to the others of its warp, a warp to the others of its block, and a block to the next ones, so that
// code which spins on what others will write makes progress.
#pragma once

#include <algorithm>
#include <deque>
#include <memory>
#include <utility>
#include <vector>

#include "grader/virtual_gpu/checks/fault_reporter.h"
#include "grader/virtual_gpu/checks/global_checks.h"
#include "grader/virtual_gpu/checks/shared_checks.h"
#include "grader/virtual_gpu/counters/counters.h"
#include "grader/virtual_gpu/exec/lanes.h"

namespace warplings::vgpu::WARPLINGS_LEVEL {

/// One block with the storage that its pointers point into.
class BlockRun {
 public:
  BlockRun(const GridRequest& grid, FaultReporter& faults, std::vector<BlockContext::CachedRegion>& regions,
           std::vector<InstCounts>& counts, std::string& printed)
      : grid_(grid), counts_(counts) {
    block_.grid = &grid;
    block_.faults = &faults;
    block_.cached_regions = &regions;
    block_.printed = &printed;
    if (grid.observation.checks) {
      observers_.push_back(std::make_unique<SharedChecks>(*grid.program));
      observers_.push_back(std::make_unique<GlobalChecks>());
    } else {
      observers_.push_back(std::make_unique<GlobalWrites>());
    }
    if (grid.observation.counters) observers_.push_back(std::make_unique<MemoryCounters>(counts));
    for (const auto& observer : observers_) observer_list_.push_back(observer.get());
    block_.observers = observer_list_;
    Allocate();
  }

  void Start(u64 linear_index) {
    const Dim3& extent = grid_.grid;
    block_.linear_index = linear_index;
    block_.index = {u32(linear_index % extent.x), u32(linear_index / extent.x % extent.y),
                    u32(linear_index / extent.x / extent.y)};
    block_.live_threads = block_.threads;
    block_.barriers.fill({});
    out_of_step_ = false;
    // All ones is a NaN in every format: unwritten shared memory shows in the result.
    std::memset(block_.shared, 0xff, block_.shared_bytes);
    for (WarpContext& warp : block_.warps) StartWarp(warp);
    for (Observer* observer : observer_list_) observer->OnBlockStart(block_);
  }

  enum class Outcome { kDone, kYielded, kDeadlocked, kTrapped, kOutOfBudget };

  /// Runs until the block has ended, or has executed `quantum` warp instructions without ending.
  Outcome Run(u64 quantum, u64& budget) {
    const u64 stop_at = budget > quantum ? budget - quantum : 0;
    while (block_.live_threads) {
      bool progress = false;
      for (WarpContext& warp : block_.warps) {
        while (Split* split = PickRunnable(warp)) {
          progress = true;
          if (!RunSplit(warp, *split, budget)) return trapped_ ? Outcome::kTrapped : Outcome::kOutOfBudget;
          if (gave_way_) break;
        }
        gave_way_ = false;
      }
      if (!progress && !ReleaseStuck()) {
        block_.faults->Deadlock(block_);
        return Outcome::kDeadlocked;
      }
      if (budget <= stop_at && block_.live_threads) return Outcome::kYielded;
    }
    return Outcome::kDone;
  }

  const BlockContext& block() const { return block_; }

 private:
  /// A split gives way after this many warp instructions.
  static constexpr u64 kSplitQuantum = 20'000;

  void Allocate() {
    const Program& program = *grid_.program;
    block_.threads = u32(grid_.block.Volume());
    const u32 warps = (block_.threads + kWarpSize - 1) / kWarpSize;
    block_.shared_bytes = program.shared_bytes + grid_.dynamic_shared_bytes;
    shared_.resize(block_.shared_bytes + 64);
    block_.shared = Aligned(shared_.data());
    const std::size_t warp_bytes = RoundUp(program.register_bytes) + RoundUp(program.special_bytes);
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
      warp.index = i;
      warp.base = {next, constants, next + RoundUp(program.register_bytes), nullptr};
      warp.local = local_.data() + std::size_t{i} * kWarpSize * program.local_bytes;
      next += warp_bytes;
    }
  }

  static std::size_t RoundUp(std::size_t bytes) { return (bytes + 63) / 64 * 64; }
  static std::byte* Aligned(std::byte* p) {
    return reinterpret_cast<std::byte*>((reinterpret_cast<std::uintptr_t>(p) + 63) & ~std::uintptr_t{63});
  }

  void StartWarp(WarpContext& warp) {
    const u32 first = warp.index * kWarpSize;
    const u32 lanes = std::min<u32>(kWarpSize, block_.threads - first);
    warp.live = lanes == kWarpSize ? kAllLanes : (1u << lanes) - 1;
    warp.splits.assign(1, Split{0, warp.live, -1, Split::State::kRunnable, 0});
    warp.divergences.clear();
    std::memset(warp.base[0], 0, grid_.program->register_bytes);
    for (const auto& slot : grid_.program->specials) FillSpecial(warp, slot);
  }

  void FillSpecial(WarpContext& warp, const Program::SpecialSlot& slot) {
    u32* lanes = reinterpret_cast<u32*>(warp.base[2] + slot.offset);
    const Dim3& block = grid_.block;
    const Dim3& grid = grid_.grid;
    for (u32 i = 0; i < kWarpSize; ++i) {
      const u32 t = warp.index * kWarpSize + i;
      switch (slot.special) {
        case Special::kTidX: lanes[i] = t % block.x; break;
        case Special::kTidY: lanes[i] = t / block.x % block.y; break;
        case Special::kTidZ: lanes[i] = t / block.x / block.y; break;
        case Special::kNtidX: lanes[i] = block.x; break;
        case Special::kNtidY: lanes[i] = block.y; break;
        case Special::kNtidZ: lanes[i] = block.z; break;
        case Special::kCtaidX: lanes[i] = block_.index.x; break;
        case Special::kCtaidY: lanes[i] = block_.index.y; break;
        case Special::kCtaidZ: lanes[i] = block_.index.z; break;
        case Special::kNctaidX: lanes[i] = grid.x; break;
        case Special::kNctaidY: lanes[i] = grid.y; break;
        case Special::kNctaidZ: lanes[i] = grid.z; break;
        case Special::kLaneId: lanes[i] = i; break;
        case Special::kWarpId: lanes[i] = warp.index; break;
        case Special::kNwarpId: lanes[i] = u32(block_.warps.size()); break;
        case Special::kSmId: lanes[i] = u32(block_.linear_index % u32(grid_.profile->multiprocessors)); break;
        case Special::kNsmId: lanes[i] = u32(grid_.profile->multiprocessors); break;
        case Special::kGridId: lanes[i] = 0; break;
        case Special::kLaneMaskEq: lanes[i] = 1u << i; break;
        case Special::kLaneMaskLt: lanes[i] = (1u << i) - 1; break;
        case Special::kLaneMaskLe: lanes[i] = (2u << i) - 1; break;
        case Special::kLaneMaskGt: lanes[i] = ~((2u << i) - 1); break;
        case Special::kLaneMaskGe: lanes[i] = ~((1u << i) - 1); break;
        case Special::kDynamicSharedBytes: lanes[i] = grid_.dynamic_shared_bytes; break;
        case Special::kTotalSharedBytes:
          lanes[i] = grid_.program->static_shared_bytes + grid_.dynamic_shared_bytes;
          break;
        case Special::kZero: lanes[i] = 0; break;
      }
    }
  }

  Split* PickRunnable(WarpContext& warp) {
    for (Split& split : warp.splits) {
      if (split.state == Split::State::kRunnable) return &split;
    }
    return nullptr;
  }

  /// Runs one split until it waits, ends, merges or gives way. False: the grid has to stop.
  bool RunSplit(WarpContext& warp, Split& split, u64& budget) {
    return grid_.observation.counters ? RunLoop<true>(warp, split, budget)
                                      : RunLoop<false>(warp, split, budget);
  }

  template <bool kCount>
  bool RunLoop(WarpContext& warp, Split& start, u64& budget) {
    const Inst* code = grid_.program->code.data();
    InstCounts* counts = counts_.data();
    // The split under way is kept in locals and put back when the scheduler has to see it.
    Split current = start;
    const std::size_t slot = static_cast<std::size_t>(&start - warp.splits.data());
    u64 left = std::min(kSplitQuantum, budget);
    const u64 given = left;
    auto put_back = [&] { warp.splits[slot] = current; };
    auto spend = [&] { budget -= given - left; };

    for (;;) {
      const Inst& in = code[current.pc];
      if (in.is_join && current.node >= 0 &&
          warp.divergences[static_cast<std::size_t>(current.node)].reconverge == current.pc) {
        if (!Join(warp, current)) {
          spend();
          warp.splits.erase(warp.splits.begin() + static_cast<std::ptrdiff_t>(slot));
          return true;
        }
        continue;
      }
      if (left == 0) {
        put_back();
        spend();
        if (budget == 0) {
          block_.faults->EndlessLoop(block_);
          return false;
        }
        GiveWay(warp, slot);
        return true;
      }
      --left;
      Mask mask = current.mask;
      if (in.guard != kNoOperand) {
        const Mask p = *warp.Lanes<const Mask>(in.guard);
        mask &= in.guard_negated ? ~p : p;
      }
      if constexpr (kCount) {
        if (in.control != Control::kWarpSync) Count(counts[in.index], mask);
      }
      switch (in.control) {
        case Control::kNone:
          if (mask) in.handler(warp, in, mask);
          ++current.pc;
          continue;
        case Control::kBranch: {
          if (mask == current.mask) {
            current.pc = in.target;
          } else if (mask == 0) {
            ++current.pc;
          } else {
            if constexpr (kCount) ++counts[in.index].divergences;
            Diverge(warp, current, slot, in, mask);
          }
          continue;
        }
        case Control::kExit: {
          if (mask) {
            warp.splits[slot] = current;
            Exit(warp, slot, mask);
            current.mask &= ~mask;
            if (!current.mask) {
              spend();
              return true;
            }
          }
          ++current.pc;
          continue;
        }
        case Control::kTrap:
          if (mask) {
            put_back();
            spend();
            block_.faults->Trap(warp, in, mask, "the kernel stopped itself (trap)");
            trapped_ = true;
            return false;
          }
          ++current.pc;
          continue;
        case Control::kBarrier:
          if (mask) {
            put_back();
            spend();
            ArriveAtBarrier(warp, slot, in, mask);
            return true;
          }
          ++current.pc;
          continue;
        case Control::kWarpSync:
          if (mask) {
            put_back();
            spend();
            return ArriveAtWarpSync<kCount>(warp, slot, in, mask);
          }
          ++current.pc;
          continue;
      }
    }
  }

  static void Count(InstCounts& counts, Mask mask) {
    ++counts.executed;
    counts.lanes += static_cast<u64>(__builtin_popcount(mask));
  }

  // --- Divergence. ------------------------------------------------------------------------------------

  /// The lanes in `taken` part from the rest. The split under way goes on with those that fall through.
  void Diverge(WarpContext& warp, Split& current, std::size_t slot, const Inst& in, Mask taken) {
    // A loop whose lanes leave one after the other parts at one branch many times: one divergence
    // holds them all.
    const bool same = current.node >= 0 &&
                      warp.divergences[static_cast<std::size_t>(current.node)].reconverge == in.reconverge;
    if (in.reconverge >= 0 && !same) {
      current.node = AddDivergence(warp, {in.reconverge, current.mask, 0, current.node});
    }
    Split other{in.target, taken, current.node, Split::State::kRunnable, 0};
    current.mask &= ~taken;
    ++current.pc;
    warp.splits[slot] = current;
    warp.splits.push_back(other);
  }

  static std::int32_t AddDivergence(WarpContext& warp, const Divergence& divergence) {
    for (std::size_t i = 0; i < warp.divergences.size(); ++i) {
      if (warp.divergences[i].mask == 0) {
        warp.divergences[i] = divergence;
        return static_cast<std::int32_t>(i);
      }
    }
    warp.divergences.push_back(divergence);
    return static_cast<std::int32_t>(warp.divergences.size() - 1);
  }

  /// True: all lanes have come, and `current` goes on with them. False: it waits in the divergence.
  static bool Join(WarpContext& warp, Split& current) {
    Divergence& divergence = warp.divergences[static_cast<std::size_t>(current.node)];
    divergence.arrived |= current.mask;
    if (divergence.arrived != divergence.mask) return false;
    current.mask = divergence.mask;
    current.node = divergence.parent;
    divergence.mask = 0;
    return true;
  }

  /// The lanes in `gone` return: they leave their split and all divergences, some of which may thereby
  /// be complete.
  void Exit(WarpContext& warp, std::size_t slot, Mask gone) {
    warp.live &= ~gone;
    block_.live_threads -= static_cast<u32>(__builtin_popcount(gone));
    warp.splits[slot].mask &= ~gone;
    const bool ended = warp.splits[slot].mask == 0;
    if (ended) warp.splits.erase(warp.splits.begin() + static_cast<std::ptrdiff_t>(slot));
    for (Divergence& divergence : warp.divergences) {
      if (!(divergence.mask & gone)) continue;
      divergence.mask &= ~gone;
      divergence.arrived &= ~gone;
      if (divergence.mask && divergence.arrived == divergence.mask) {
        warp.splits.push_back(
            {divergence.reconverge, divergence.mask, divergence.parent, Split::State::kRunnable, 0});
        divergence.mask = 0;
      }
    }
    CheckBarriersAfterExit();
    CheckWarpSyncsAfterExit(warp);
  }

  /// Moves a split behind the others of its warp, and lets other warps run.
  void GiveWay(WarpContext& warp, std::size_t slot) {
    std::rotate(warp.splits.begin() + static_cast<std::ptrdiff_t>(slot),
                warp.splits.begin() + static_cast<std::ptrdiff_t>(slot) + 1, warp.splits.end());
    gave_way_ = true;
  }

  // --- Waiting for other lanes of the warp. -------------------------------------------------------------

  /// Lanes at a ….sync instruction wait until all live lanes that the member mask names have come.
  template <bool kCount>
  bool ArriveAtWarpSync(WarpContext& warp, std::size_t slot, const Inst& in, Mask mask) {
    Split& split = warp.splits[slot];
    if (mask != split.mask) {
      // Only part of the split executes it (guarded): the others go on, and meet these as splits do.
      Split rest = split;
      rest.mask &= ~mask;
      rest.pc = split.pc + 1;
      split.mask = mask;
      warp.splits.push_back(rest);
    }
    Split& waiting = warp.splits[slot];
    waiting.state = Split::State::kAtWarpSync;
    const Mask members = *(warp.Lanes<const Mask>(in.op[4]) + __builtin_ctz(mask));
    Mask arrived = 0;
    for (const Split& other : warp.splits) {
      if (other.state == Split::State::kAtWarpSync && other.pc == waiting.pc) arrived |= other.mask;
    }
    if ((members & warp.live) & ~arrived) return true;
    ExecuteWarpSync<kCount>(warp, in, waiting.pc, arrived);
    return true;
  }

  /// Lanes that return no longer count among the members of a mask.
  void CheckWarpSyncsAfterExit(WarpContext& warp) {
    for (std::size_t i = 0; i < warp.splits.size(); ++i) {
      const Split split = warp.splits[i];
      if (split.state != Split::State::kAtWarpSync) continue;
      const Inst& in = grid_.program->code[static_cast<std::size_t>(split.pc)];
      Mask arrived = 0;
      for (const Split& other : warp.splits) {
        if (other.state == Split::State::kAtWarpSync && other.pc == split.pc) arrived |= other.mask;
      }
      const Mask members = *(warp.Lanes<const Mask>(in.op[4]) + __builtin_ctz(split.mask));
      if (!((members & warp.live) & ~arrived)) ExecuteWarpSync<true>(warp, in, split.pc, arrived);
    }
  }

  template <bool kCount>
  void ExecuteWarpSync(WarpContext& warp, const Inst& in, std::int32_t pc, Mask arrived) {
    if constexpr (kCount) Count(counts_[in.index], arrived);
    in.handler(warp, in, arrived);
    for (Split& split : warp.splits) {
      if (split.state != Split::State::kAtWarpSync || split.pc != pc) continue;
      split.state = Split::State::kRunnable;
      ++split.pc;
    }
  }

  // --- Barriers. ----------------------------------------------------------------------------------------

  void ArriveAtBarrier(WarpContext& warp, std::size_t slot, const Inst& in, Mask mask) {
    Split& split = warp.splits[slot];
    const int lane = __builtin_ctz(mask);
    const u32 id = warp.Lanes<const u32>(in.op[1])[lane] & 15;
    const u32 count = in.op[2] == kNoOperand ? 0 : warp.Lanes<const u32>(in.op[2])[lane];
    if (mask != split.mask) {
      Split rest = split;
      rest.mask &= ~mask;
      rest.pc = split.pc + 1;
      split.mask = mask;
      warp.splits.push_back(rest);
    }
    Split& waiting = warp.splits[slot];
    waiting.state = Split::State::kAtBarrier;
    waiting.barrier = static_cast<std::uint8_t>(id);
    if (grid_.observation.checks) {
      // Once out of step, every later barrier is off as well; the first says what is wrong.
      if (in.is_aligned && mask != warp.live && !out_of_step_) {
        block_.faults->PartialWarpAtBarrier(warp, in, mask);
        out_of_step_ = true;
      }
      if (block_.live_threads != block_.threads && count == 0) {
        block_.faults->BarrierAfterExit(warp, in, mask, block_.threads - block_.live_threads);
      }
    }
    BarrierState& barrier = block_.barriers[id];
    if (barrier.arrived_threads == 0) {
      barrier.first_pc = waiting.pc;
      barrier.expected_threads = count;
    } else if (barrier.first_pc != waiting.pc && grid_.observation.checks && !out_of_step_) {
      out_of_step_ = true;
      block_.faults->DifferentBarriers(warp, grid_.program->code[static_cast<std::size_t>(barrier.first_pc)],
                                       in, mask);
    }
    // With a thread count, hardware counts whole warps.
    barrier.arrived_threads += count ? kWarpSize : static_cast<u32>(__builtin_popcount(mask));
    PassIfComplete(id);
  }

  void PassIfComplete(u32 id) {
    BarrierState& barrier = block_.barriers[id];
    if (!barrier.arrived_threads) return;
    const u32 expected = barrier.expected_threads ? barrier.expected_threads : block_.live_threads;
    if (barrier.arrived_threads < expected) return;
    barrier = {};
    for (WarpContext& warp : block_.warps) {
      for (Split& split : warp.splits) {
        if (split.state != Split::State::kAtBarrier || split.barrier != id) continue;
        split.state = Split::State::kRunnable;
        ++split.pc;
      }
    }
    for (Observer* observer : observer_list_) observer->OnBarrierPassed(block_);
  }

  /// Threads that return no longer count at a barrier (since compute capability 7.0).
  void CheckBarriersAfterExit() {
    for (u32 id = 0; id < block_.barriers.size(); ++id) PassIfComplete(id);
  }

  /// Nobody is runnable. Lanes that wait to reconverge with lanes that cannot come (they wait at a
  /// barrier) go on without them: threads are scheduled independently.
  bool ReleaseStuck() {
    for (WarpContext& warp : block_.warps) {
      for (Divergence& divergence : warp.divergences) {
        if (!divergence.mask || !divergence.arrived) continue;
        const Mask lanes = std::exchange(divergence.arrived, 0);
        divergence.mask &= ~lanes;
        // They no longer belong to this divergence, nor to those around it up to the next meeting.
        for (std::int32_t node = divergence.parent; node >= 0;) {
          Divergence& outer = warp.divergences[static_cast<std::size_t>(node)];
          outer.mask &= ~lanes;
          node = outer.parent;
        }
        warp.splits.push_back({divergence.reconverge, lanes, -1, Split::State::kRunnable, 0});
        return true;
      }
    }
    return false;
  }

  const GridRequest& grid_;
  std::vector<InstCounts>& counts_;
  BlockContext block_;
  std::vector<std::unique_ptr<Observer>> observers_;
  std::vector<Observer*> observer_list_;
  std::vector<std::byte> shared_, registers_, local_, constants_;
  bool gave_way_ = false;
  bool trapped_ = false;
  bool out_of_step_ = false;  ///< A divergent barrier was reported for this block.
};

/// How many warp instructions a block may run before others of the grid get a turn beside it.
inline constexpr u64 kBlockQuantum = 2'000'000;
/// Blocks that are under way at once at most: those that wait for others, and the one they wait for.
inline constexpr std::size_t kMaximumResident = 4096;

inline GridOutcome RunGrid(const GridRequest& request) {
  GridOutcome outcome;
  FaultReporter faults(request);
  std::vector<BlockContext::CachedRegion> regions(request.program->code.size());
  outcome.counts.resize(request.program->code.size());
  u64 budget = request.observation.max_warp_instructions;
  const u64 blocks = request.grid.Volume();
  u64 next = 0;
  std::deque<std::unique_ptr<BlockRun>> resident;
  std::vector<std::unique_ptr<BlockRun>> idle;
  auto start_next = [&] {
    if (idle.empty()) {
      idle.push_back(std::make_unique<BlockRun>(request, faults, regions, outcome.counts, outcome.printed));
    }
    idle.back()->Start(next++);
    resident.push_back(std::move(idle.back()));
    idle.pop_back();
  };

  using Outcome = BlockRun::Outcome;
  Outcome last = Outcome::kDone;
  while (next < blocks || !resident.empty()) {
    if (resident.empty()) start_next();
    last = resident.front()->Run(kBlockQuantum, budget);
    if (last == Outcome::kDone) {
      idle.push_back(std::move(resident.front()));
      resident.pop_front();
    } else if (last == Outcome::kYielded) {
      resident.push_back(std::move(resident.front()));
      resident.pop_front();
      if (next < blocks && resident.size() < kMaximumResident) {
        start_next();
        resident.push_front(std::move(resident.back()));
        resident.pop_back();
      }
    } else {
      break;
    }
  }

  outcome.completed = last == Outcome::kDone;
  if (last == Outcome::kDeadlocked || last == Outcome::kOutOfBudget) {
    outcome.error = CudaError::kLaunchTimeout;
    outcome.error_message = "the kernel does not end";
  } else if (last == Outcome::kTrapped) {
    outcome.error = CudaError::kLaunchFailure;
    outcome.error_message = "the kernel stopped itself";
  }
  outcome.findings = faults.Take();
  outcome.warp_instructions = request.observation.max_warp_instructions - budget;
  return outcome;
}

}  // namespace warplings::vgpu::WARPLINGS_LEVEL
