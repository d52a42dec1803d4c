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
#include <cstring>
#include <limits>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "grader/virtual_gpu/checks/fault_reporter.h"
#include "grader/virtual_gpu/checks/global_checks.h"
#include "grader/virtual_gpu/checks/global_races.h"
#include "grader/virtual_gpu/checks/local_checks.h"
#include "grader/virtual_gpu/checks/shared_checks.h"
#include "grader/virtual_gpu/counters/access_recorder.h"
#include "grader/virtual_gpu/counters/array_traffic.h"
#include "grader/virtual_gpu/counters/block_footprint.h"
#include "grader/virtual_gpu/counters/counters.h"
#include "grader/virtual_gpu/exec/builtins.h"
#include "grader/virtual_gpu/exec/lanes.h"
#include "grader/virtual_gpu/exec/warp_ops.h"

namespace warplings::vgpu::WARPLINGS_LEVEL {

/// Frames of called functions: used again and again, never moved.
class FramePool {
 public:
  /// Null where calls nest too deeply.
  std::byte* Take(u32 bytes) {
    auto& unused = unused_[bytes];
    if (unused.empty()) {
      if (total_ + bytes > kMaximumBytes) return nullptr;
      total_ += bytes;
      all_.push_back(std::make_unique<std::byte[]>(bytes + 64));
      return Aligned(all_.back().get());
    }
    std::byte* frame = unused.back();
    unused.pop_back();
    return frame;
  }
  void Release(u32 bytes, std::byte* frame) { unused_[bytes].push_back(frame); }

  static std::byte* Aligned(std::byte* p) {
    return reinterpret_cast<std::byte*>((reinterpret_cast<std::uintptr_t>(p) + 63) & ~std::uintptr_t{63});
  }

 private:
  static constexpr std::size_t kMaximumBytes = std::size_t{256} << 20;
  std::map<u32, std::vector<std::byte*>> unused_;
  std::vector<std::unique_ptr<std::byte[]>> all_;
  std::size_t total_ = 0;
};

/// One block with the storage that its pointers point into.
class BlockRun {
 public:
  BlockRun(const GridRequest& grid, AccessPatterns& patterns, std::vector<InstCounts>& counts)
      : grid_(grid), counts_(counts), patterns_(patterns) {
    block_.grid = &grid;
    if (grid.accesses)
      Add(std::make_unique<AccessRecorder>(*grid.accesses), {&global_observers_, &shared_observers_});
    if (grid.observation.checks) {
      Add(std::make_unique<SharedChecks>(*grid.program), {&shared_observers_});
      Add(std::make_unique<GlobalChecks>(), {&global_observers_});
      if (grid.races) Add(std::make_unique<GlobalRaces>(*grid.races, *grid.program), {&global_observers_});
      if (grid.program->local_bytes) Add(std::make_unique<LocalChecks>(*grid.program), {&local_observers_});
    } else {
      Add(std::make_unique<GlobalWrites>(), {&global_observers_});
    }
    if (grid.observation.counters)
      Add(std::make_unique<MemoryCounters>(counts),
          {&global_observers_, &shared_observers_, &constant_observers_});
    if (grid.arrays)
      Add(std::make_unique<ArrayTrafficCounter>(*grid.arrays, *grid.program), {&global_observers_});
    if (grid.footprint) Add(std::make_unique<BlockFootprint>(*grid.footprint), {&global_observers_});
    block_.observers = observer_list_;
    block_.global_observers = global_observers_;
    block_.shared_observers = shared_observers_;
    block_.local_observers = local_observers_;
    block_.constant_observers = constant_observers_;
    Allocate();
  }

  /// `faults` and `printed` take what this block has to say.
  void Start(u64 linear_index, FaultReporter& faults, std::string& printed) {
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
    turns_of_spinning_ = 0;
    // All ones is a NaN in every format: unwritten shared memory shows in the result.
    std::memset(block_.shared, 0xff, block_.shared_bytes);
    std::fill(local_.begin(), local_.end(), std::byte{0xff});
    for (WarpContext& warp : block_.warps) StartWarp(warp);
    for (Observer* observer : observer_list_) observer->OnBlockStart(block_);
  }

  enum class Outcome { kDone, kYielded, kDeadlocked, kTrapped, kAssertFailed, kOutOfBudget };

  /// Runs until the block has ended, or has executed `quantum` warp instructions without ending.
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
          if (gave_way_) break;
        }
        gave_way_ = false;
      }
      if (!progress && !ReleaseStuck()) {
        block_.faults->Deadlock(block_);
        return Outcome::kDeadlocked;
      }
      turns_of_spinning_ = only_spins ? turns_of_spinning_ + 1 : 0;
      // Where all that can run spins, it waits for another block.
      const bool waits = only_spins && quantum != std::numeric_limits<u64>::max();
      if ((budget <= stop_at || waits) && block_.live_threads) return Outcome::kYielded;
    }
    return Outcome::kDone;
  }

  const BlockContext& block() const { return block_; }
  /// Warp instructions of the warp, of all blocks so far, that executed most.
  u64 longest_warp() const { return longest_warp_; }
  /// Whether some of its threads seem to have waited for others since this was last asked.
  bool TakeSpun() { return std::exchange(has_spun_, false); }

 private:
  /// A split gives way after this many warp instructions.
  static constexpr u64 kSplitQuantum = 20'000;
  /// Blocks of a cooperative launch wait for each other all the time: they give way sooner.
  static constexpr u64 kCooperativeQuantum = 1'000;
  /// A split of whose turn so large a part were atomics or volatile accesses is taken to wait for somebody.
  static constexpr u64 kSpinningPart = 20;
  /// In a cooperative launch it is first taken to wait for another block, after so many turns for its warp.
  static constexpr u64 kTurnsUntilTorn = 20;

  using ObserverList = std::vector<Observer*>;
  /// `looked_at`: the lists of the memories whose accesses it looks at.
  void Add(std::unique_ptr<Observer> observer, std::initializer_list<ObserverList*> looked_at) {
    observer_list_.push_back(observer.get());
    for (ObserverList* list : looked_at) list->push_back(observer.get());
    observers_.push_back(std::move(observer));
  }

  void Allocate() {
    const Program& program = *grid_.program;
    block_.threads = u32(grid_.block.Volume());
    const u32 warps = (block_.threads + kWarpSize - 1) / kWarpSize;
    block_.shared_bytes = program.shared_bytes + grid_.dynamic_shared_bytes;
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
        case Special::kEnvReg1: lanes[i] = u32(grid_.workspace >> 32); break;
        case Special::kEnvReg2: lanes[i] = u32(grid_.workspace); break;
        case Special::kOne: lanes[i] = 1; break;
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
    u64 left = std::min(grid_.cooperative ? kCooperativeQuantum : kSplitQuantum, budget);
    u64 spins = 0;
    const u64 given = left;
    warp.base[0] = current.frame;
    auto put_back = [&] { warp.splits[slot] = current; };
    auto spend = [&] {
      budget -= given - left;
      block_.clock += given - left;
      warp.instructions += given - left;
      longest_warp_ = std::max(longest_warp_, warp.instructions);
    };

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
        if (grid_.IsInterrupted()) {
          block_.faults->Interrupted(block_);
          stopped_by_ = Outcome::kOutOfBudget;
          return false;
        }
        if (budget == 0) {
          block_.faults->EndlessLoop(block_);
          stopped_by_ = Outcome::kOutOfBudget;
          return false;
        }
        spun_ = spins * kSpinningPart > given;
        has_spun_ = has_spun_ || spun_;
        if (spun_ && (!grid_.cooperative || turns_of_spinning_ >= kTurnsUntilTorn)) LetWaitingLanesGo(warp);
        GiveWay(warp, slot);
        return true;
      }
      --left;
      spins += in.communicates;
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
        case Control::kClock:
          if (mask) ReadClockAt(warp, in, mask, given - left);
          ++current.pc;
          continue;
        case Control::kTryWait:
          if (mask) {
            in.handler(warp, in, mask);
            if (mask & ~PredicateOf(warp, in.op[0])) {
              ++current.pc;
              put_back();
              spend();
              has_spun_ = true;
              GiveWay(warp, slot);
              return true;
            }
          }
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
        case Control::kBranchTable:
          if (!mask) {
            ++current.pc;
            continue;
          }
          if (BranchByTable(warp, current, slot, in, mask)) continue;
          put_back();
          spend();
          return false;
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
        case Control::kCall:
          if (!mask) {
            ++current.pc;
            continue;
          }
          put_back();
          spend();
          return Call(warp, slot, in, mask);
        case Control::kReturn:
          if (!mask) {
            ++current.pc;
            continue;
          }
          put_back();
          spend();
          Return(warp, slot, mask);
          return true;
        case Control::kTrap:
          if (mask) {
            put_back();
            spend();
            block_.faults->Trap(warp, in, mask, "the kernel stopped itself (trap)");
            stopped_by_ = Outcome::kTrapped;
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

  /// `since`: what this split has executed since it was last put back.
  void ReadClockAt(WarpContext& warp, const Inst& in, Mask mask, u64 since) {
    block_.clock += since;
    in.handler(warp, in, mask);
    block_.clock -= since;
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
    const bool same = current.node >= 0 && !DivergenceOf(warp, current.node).call &&
                      DivergenceOf(warp, current.node).reconverge == in.reconverge;
    if (in.reconverge >= 0 && !same) {
      current.node = AddDivergence(warp, {in.reconverge, current.mask, 0, current.node, current.frame,
                                          current.local_top, nullptr, nullptr});
    }
    Split other = current;
    other.pc = in.target;
    other.mask = taken;
    current.mask &= ~taken;
    ++current.pc;
    warp.splits[slot] = current;
    warp.splits.push_back(other);
  }

  /// brx.idx: the lanes that go where the first of them goes part from the rest, which stays at the
  /// instruction and branches next. False: an index beyond the table.
  bool BranchByTable(WarpContext& warp, Split& current, std::size_t slot, const Inst& in, Mask mask) {
    const auto& table = grid_.program->branch_tables[static_cast<std::size_t>(in.imm)];
    const u32* index = warp.Lanes<const u32>(in.op[1]);
    const u32 first = index[__builtin_ctz(mask)];
    if (first >= table.size()) {
      block_.faults->Trap(warp, in, mask, "branches to an entry that its table does not have");
      stopped_by_ = Outcome::kTrapped;
      return false;
    }
    const Mask taken = mask & BitOfEach([&](int i) { return index[i] == first; });
    Inst branch = in;
    branch.target = table[first];
    if (taken == current.mask) {
      current.pc = branch.target;
    } else {
      ++counts_[in.index].divergences;
      Diverge(warp, current, slot, branch, taken);
      if (mask != taken) --current.pc;
    }
    return true;
  }

  static Divergence& DivergenceOf(WarpContext& warp, std::int32_t node) {
    return warp.divergences[static_cast<std::size_t>(node)];
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
      if (divergence.mask && divergence.arrived == divergence.mask) Complete(warp, divergence);
      // A call none of whose lanes comes back.
      if (!divergence.mask) CloseFrame(divergence);
    }
    CheckBarriersAfterExit();
    CheckWarpSyncsAfterExit(warp);
  }

  /// All lanes have come: they go on together behind the divergence.
  void Complete(WarpContext& warp, Divergence& divergence) {
    warp.splits.push_back({divergence.reconverge, divergence.mask, divergence.parent, Split::State::kRunnable,
                           0, divergence.frame, divergence.local_top});
    divergence.mask = 0;
    CloseFrame(divergence);
  }

  // --- Calls. -----------------------------------------------------------------------------------------

  /// Sets up the hidden registers of an activation whose local memory begins at `local`.
  static void OpenFrame(const FunctionCode& function, std::byte* frame, u32 local) {
    std::memset(frame, 0, function.frame_bytes);
    for (const auto& [operand, offset] : function.local_addresses) {
      u64* lanes = reinterpret_cast<u64*>(frame + (operand & 0x3fffffffu));
      for (int i = 0; i < kWarpSize; ++i) lanes[i] = local + offset;
    }
  }

  void CloseFrame(Divergence& divergence) {
    if (!divergence.callee_frame) return;
    frames_.Release(divergence.callee->frame_bytes, divergence.callee_frame);
    divergence.callee_frame = nullptr;
  }

  static void CopySlots(const std::vector<FrameSlot>& from, const std::byte* from_frame,
                        const std::vector<FrameSlot>& to, std::byte* to_frame, Mask mask) {
    for (std::size_t i = 0; i < std::min(from.size(), to.size()); ++i) {
      const std::size_t bytes = std::min(from[i].bytes, to[i].bytes);
      ForEachLane(mask, [&](int lane) {
        const auto l = static_cast<std::size_t>(lane);
        std::memcpy(to_frame + to[i].offset + l * to[i].bytes,
                    from_frame + from[i].offset + l * from[i].bytes, bytes);
      });
    }
  }

  /// Calls a function for the lanes in `mask`; an indirect call goes to one target after the other.
  bool Call(WarpContext& warp, std::size_t slot, const Inst& in, Mask mask) {
    const Program& program = *grid_.program;
    const CallSite& call = program.calls[static_cast<std::size_t>(in.imm)];
    std::size_t index = static_cast<std::size_t>(call.function);
    if (call.function < 0) {
      const u64* target = warp.Lanes<const u64>(in.op[1]);
      const u64 first = target[__builtin_ctz(mask)];
      const Mask same = mask & BitOfEach([&](int i) { return target[i] == first; });
      if (same != mask) MeetBehind(warp, slot, mask);
      mask = same;
      index = static_cast<std::size_t>((first - kFunctionBase) / kFunctionStride);
      const bool known = first >= kFunctionBase && (first - kFunctionBase) % kFunctionStride == 0 &&
                         index < program.functions.size();
      if (!known ||
          (!program.functions[index].is_decoded && program.functions[index].builtin == Builtin::kNone) ||
          program.functions[index].parameters.size() != call.arguments.size()) {
        block_.faults->Trap(warp, in, mask, "calls through a pointer that is no function it can call");
        stopped_by_ = Outcome::kTrapped;
        return false;
      }
    }
    SplitOff(warp, slot, mask);
    const FunctionCode& function = program.functions[index];
    if (function.builtin != Builtin::kNone) return CallBuiltins(warp, slot, in, function.builtin, call);

    Split& caller = warp.splits[slot];
    std::byte* frame = frames_.Take(function.frame_bytes);
    if (!frame || caller.local_top + function.local_bytes > program.local_bytes) {
      block_.faults->StackOverflow(warp, in, mask);
      stopped_by_ = Outcome::kTrapped;
      return false;
    }
    OpenFrame(function, frame, caller.local_top);
    for (Observer* observer : observer_list_)
      observer->OnFrameOpened(warp, function, caller.local_top, caller.mask);
    CopySlots(call.arguments, caller.frame, function.parameters, frame, caller.mask);
    Divergence divergence{caller.pc + 1, caller.mask,      0,     caller.node,
                          caller.frame,  caller.local_top, &call, &function};
    divergence.callee_frame = frame;
    const std::int32_t node = AddDivergence(warp, divergence);
    warp.splits[slot].pc = function.entry;
    warp.splits[slot].node = node;
    warp.splits[slot].frame = frame;
    warp.splits[slot].local_top += function.local_bytes;
    return true;
  }

  /// Lanes whose indirect call leads to different functions meet again behind it.
  static void MeetBehind(WarpContext& warp, std::size_t slot, Mask lanes) {
    const Split& split = warp.splits[slot];
    const bool waits_there = split.node >= 0 && !DivergenceOf(warp, split.node).call &&
                             DivergenceOf(warp, split.node).reconverge == split.pc + 1;
    if (waits_there || lanes != split.mask) return;
    const std::int32_t node = AddDivergence(
        warp, {split.pc + 1, lanes, 0, split.node, split.frame, split.local_top, nullptr, nullptr, nullptr});
    warp.splits[slot].node = node;
  }

  bool CallBuiltins(WarpContext& warp, std::size_t slot, const Inst& in, Builtin builtin,
                    const CallSite& call) {
    bool go_on = true;
    ForEachLane(warp.splits[slot].mask, [&](int lane) {
      go_on = CallBuiltin(warp, in, lane, builtin, call, warp.splits[slot].frame) && go_on;
    });
    ++warp.splits[slot].pc;
    if (!go_on) stopped_by_ = Outcome::kAssertFailed;
    return go_on;
  }

  /// Lanes in `mask` come back from a function: they leave the divergences inside it.
  void Return(WarpContext& warp, std::size_t slot, Mask mask) {
    SplitOff(warp, slot, mask);
    const Split done = warp.splits[slot];
    warp.splits.erase(warp.splits.begin() + static_cast<std::ptrdiff_t>(slot));
    std::int32_t node = done.node;
    while (node >= 0 && !DivergenceOf(warp, node).call) {
      const std::int32_t parent = DivergenceOf(warp, node).parent;
      LeaveDivergence(warp, node, mask);
      node = parent;
    }
    if (node < 0) return;  // cannot be: device functions are only entered by calls
    Divergence& called = DivergenceOf(warp, node);
    CopySlots(called.callee->results, done.frame, called.call->results, called.frame, mask);
    for (Observer* observer : observer_list_)
      observer->OnFrameClosed(warp, *called.callee, called.local_top, mask);
    called.arrived |= mask;
    if (called.arrived == called.mask) Complete(warp, called);
  }

  void LeaveDivergence(WarpContext& warp, std::int32_t node, Mask lanes) {
    Divergence& divergence = DivergenceOf(warp, node);
    divergence.mask &= ~lanes;
    divergence.arrived &= ~lanes;
    if (divergence.mask && divergence.arrived == divergence.mask) Complete(warp, divergence);
  }

  /// The split at `slot` keeps the lanes in `mask`; the others, which do not execute the instruction that it
  /// is at, or not yet, become a split of their own.
  void SplitOff(WarpContext& warp, std::size_t slot, Mask mask) {
    Split rest = warp.splits[slot];
    rest.mask &= ~mask;
    if (!rest.mask) return;
    const Inst& in = grid_.program->code[static_cast<std::size_t>(rest.pc)];
    Mask guarded = rest.mask;
    if (in.guard != kNoOperand) {
      const Mask p = *warp.Lanes<const Mask>(in.guard);
      guarded &= in.guard_negated ? ~p : p;
    }
    warp.splits[slot].mask = mask;
    // Lanes whose guard is false are done with it; those with another target of an indirect call are not.
    if (Split later = rest; (later.mask = guarded)) warp.splits.push_back(later);
    if (Split past = rest; (past.mask &= ~guarded)) {
      ++past.pc;
      warp.splits.push_back(past);
    }
  }

  /// Moves a split behind the others of its warp, and lets other warps run.
  void GiveWay(WarpContext& warp, std::size_t slot) {
    std::rotate(warp.splits.begin() + static_cast<std::ptrdiff_t>(slot),
                warp.splits.begin() + static_cast<std::ptrdiff_t>(slot) + 1, warp.splits.end());
    gave_way_ = true;
  }

  // --- Waiting for other lanes of the warp. -------------------------------------------------------------

  /// Lanes at a ….sync instruction wait until all live lanes that their member mask names have come.
  template <bool kCount>
  bool ArriveAtWarpSync(WarpContext& warp, std::size_t slot, const Inst& in, Mask mask) {
    SplitOff(warp, slot, mask);
    warp.splits[slot].state = Split::State::kAtWarpSync;
    ReleaseWarpSync<kCount>(warp, in, warp.splits[slot].pc);
    return true;
  }

  /// Lanes that return no longer count among the members of a mask.
  void CheckWarpSyncsAfterExit(WarpContext& warp) {
    std::byte* const frame = warp.base[0];
    for (std::size_t i = 0; i < warp.splits.size(); ++i) {
      const Split split = warp.splits[i];
      if (split.state != Split::State::kAtWarpSync) continue;
      warp.base[0] = split.frame;
      ReleaseWarpSync<true>(warp, grid_.program->code[static_cast<std::size_t>(split.pc)], split.pc);
    }
    warp.base[0] = frame;
  }

  /// Executes the instruction for the lanes whose members have all come. The lanes of a warp may name
  /// different members (tiles smaller than a warp do): those of one mask execute together.
  template <bool kCount>
  void ReleaseWarpSync(WarpContext& warp, const Inst& in, std::int32_t pc) {
    Mask arrived = 0;
    for (const Split& split : warp.splits) {
      if (split.state == Split::State::kAtWarpSync && split.pc == pc) arrived |= split.mask;
    }
    const Mask* members = warp.Lanes<const Mask>(in.op[4]);
    Mask executed = 0;
    for (Mask left = arrived; left;) {
      const Mask wanted = members[__builtin_ctz(left)];
      const Mask group = left & BitOfEach([&](int i) { return members[i] == wanted; });
      left &= ~group;
      if (wanted & warp.live & ~arrived) continue;
      in.handler(warp, in, group);
      executed |= group;
    }
    if (!executed) return;
    for (Observer* observer : observer_list_) observer->OnWarpSync(warp);
    if constexpr (kCount) Count(counts_[in.index], executed);
    for (std::size_t i = 0, count = warp.splits.size(); i < count; ++i) {
      Split& split = warp.splits[i];
      if (split.state != Split::State::kAtWarpSync || split.pc != pc || !(split.mask & executed)) continue;
      Split rest = split;
      rest.mask &= ~executed;
      split.mask &= executed;
      split.state = Split::State::kRunnable;
      ++split.pc;
      if (rest.mask) warp.splits.push_back(rest);
    }
  }

  // --- Barriers. ----------------------------------------------------------------------------------------

  void ArriveAtBarrier(WarpContext& warp, std::size_t slot, const Inst& in, Mask mask) {
    const int lane = __builtin_ctz(mask);
    const u32 id = warp.Lanes<const u32>(in.op[1])[lane] & 15;
    const u32 count = in.op[2] == kNoOperand ? 0 : warp.Lanes<const u32>(in.op[2])[lane];
    const bool only_arrives = BarrierModeOf(in) == kBarrierArrive;
    SplitOff(warp, slot, mask);
    Split& waiting = warp.splits[slot];
    if (!only_arrives) waiting.state = Split::State::kAtBarrier;
    waiting.barrier = static_cast<std::uint8_t>(id);
    if (grid_.observation.checks) {
      // Once out of step, every later barrier is off as well; the first says what is wrong.
      if (in.is_aligned && mask != warp.live && !out_of_step_ && !warp.is_torn) {
        block_.faults->PartialWarpAtBarrier(warp, in, mask);
        out_of_step_ = true;
      }
    }
    BarrierState& barrier = block_.barriers[id];
    if (barrier.arrived_threads == 0) {
      barrier.first_pc = waiting.pc;
      barrier.expected_threads = count;
    } else if (barrier.first_pc != waiting.pc && !count && grid_.observation.checks && !out_of_step_) {
      out_of_step_ = true;
      block_.faults->DifferentBarriers(warp, grid_.program->code[static_cast<std::size_t>(barrier.first_pc)],
                                       in, mask);
    }
    // With a thread count, hardware counts whole warps.
    barrier.arrived_threads += count ? kWarpSize : static_cast<u32>(__builtin_popcount(mask));
    if (in.op[4] != kNoOperand) CountVotes(barrier.votes, SourcePredicate(warp, in, in.op[4]), mask);
    if (only_arrives) ++waiting.pc;
    PassIfComplete(id);
  }

  static u32 BarrierModeOf(const Inst& in) { return (in.mods & mods::kModeMask) >> mods::kModeShift; }

  static void CountVotes(BarrierVotes& votes, Mask vote, Mask lanes) {
    votes.threads += static_cast<u32>(__builtin_popcount(lanes));
    votes.true_threads += static_cast<u32>(__builtin_popcount(vote & lanes));
  }

  /// Gives a split that waited at a barrier's reduction its result.
  void FinishBarrier(WarpContext& warp, const Split& split) {
    const Inst& in = grid_.program->code[static_cast<std::size_t>(split.pc)];
    if (in.op[4] == kNoOperand) return;
    warp.base[0] = split.frame;
    in.handler(warp, in, split.mask);
  }

  void PassIfComplete(u32 id) {
    BarrierState& barrier = block_.barriers[id];
    if (!barrier.arrived_threads) return;
    const u32 expected = barrier.expected_threads ? barrier.expected_threads : block_.live_threads;
    if (barrier.arrived_threads < expected) return;
    if (block_.live_threads != block_.threads && !barrier.expected_threads && grid_.observation.checks) {
      ReportReturned(id);
    }
    block_.barrier_votes = barrier.votes;
    barrier = {};
    for (WarpContext& warp : block_.warps) {
      for (Split& split : warp.splits) {
        if (split.state != Split::State::kAtBarrier || split.barrier != id) continue;
        FinishBarrier(warp, split);
        split.state = Split::State::kRunnable;
        ++split.pc;
      }
    }
    for (Observer* observer : observer_list_) observer->OnBarrierPassed(block_);
  }

  /// A barrier is passed that threads have left out by returning.
  void ReportReturned(u32 id) {
    for (const WarpContext& warp : block_.warps) {
      for (const Split& split : warp.splits) {
        if (split.state != Split::State::kAtBarrier || split.barrier != id) continue;
        block_.faults->BarrierAfterExit(warp, grid_.program->code[static_cast<std::size_t>(split.pc)],
                                        split.mask, block_.threads - block_.live_threads);
        return;
      }
    }
  }

  /// Threads that return no longer count at a barrier (since compute capability 7.0).
  void CheckBarriersAfterExit() {
    for (u32 id = 0; id < block_.barriers.size(); ++id) PassIfComplete(id);
  }

  /// Nobody is runnable. Lanes that wait to reconverge with lanes that cannot come (they wait at a
  /// barrier) go on without them: threads are scheduled independently.
  bool ReleaseStuck() {
    for (WarpContext& warp : block_.warps) {
      if (LetFirstWaitingLanesGo(warp)) return true;
    }
    return false;
  }

  /// Somebody spins: perhaps for lanes that wait to reconverge with it, holding a lock. From here on the
  /// warp's lanes are apart for the scheduler's reasons, not the program's.
  void LetWaitingLanesGo(WarpContext& warp) {
    while (LetFirstWaitingLanesGo(warp)) warp.is_torn = true;
  }

  static bool LetFirstWaitingLanesGo(WarpContext& warp) {
    for (Divergence& divergence : warp.divergences) {
      if (!divergence.mask || !divergence.arrived || divergence.call) continue;
      const Mask lanes = std::exchange(divergence.arrived, 0);
      divergence.mask &= ~lanes;
      // They no longer belong to this divergence, nor to those around it up to the call that they are in,
      // if any.
      std::int32_t node = divergence.parent;
      for (; node >= 0 && !DivergenceOf(warp, node).call; node = DivergenceOf(warp, node).parent) {
        DivergenceOf(warp, node).mask &= ~lanes;
      }
      warp.splits.push_back({divergence.reconverge, lanes, node, Split::State::kRunnable, 0, divergence.frame,
                             divergence.local_top});
      return true;
    }
    return false;
  }

  const GridRequest& grid_;
  std::vector<InstCounts>& counts_;
  AccessPatterns& patterns_;
  BlockContext block_;
  std::vector<std::unique_ptr<Observer>> observers_;
  ObserverList observer_list_, global_observers_, shared_observers_, local_observers_, constant_observers_;
  std::vector<std::byte> shared_, registers_, local_, constants_;
  std::vector<std::byte*> kernel_frames_;  ///< By warp.
  FramePool frames_;
  u64 longest_warp_ = 0;
  bool gave_way_ = false;
  Outcome stopped_by_ = Outcome::kDone;  ///< Why a split made the grid stop.
  bool spun_ = false;                    ///< The last split's turn was spent waiting for somebody.
  bool has_spun_ = false;                ///< Some split's was, since this was last asked.
  u64 turns_of_spinning_ = 0;            ///< So many rounds over all warps were nothing else.
  bool out_of_step_ = false;             ///< A divergent barrier was reported for this block.
};

}  // namespace warplings::vgpu::WARPLINGS_LEVEL
