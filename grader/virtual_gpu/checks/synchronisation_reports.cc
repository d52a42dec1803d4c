// SPDX-License-Identifier: Apache-2.0
// The part of FaultReporter that is about lanes that meet, or wait for each other without end: barriers,
// shuffles and their masks, deadlocks, loops.
#include <algorithm>
#include <bit>
#include <cstdio>
#include <map>
#include <tuple>
#include <utility>

#include "grader/messages/findings.h"
#include "grader/virtual_gpu/checks/fault_reporter.h"

namespace warplings::vgpu {
namespace {

/// Lanes that wait for members of a mask while others of their warp wait elsewhere.
std::pair<const WarpContext*, const Split*> SplitThatMissesMembers(const BlockContext& block) {
  for (const WarpContext& warp : block.warps) {
    for (const Split& split : warp.splits) {
      if (split.state == Split::State::kAtWarpSync) return {&warp, &split};
    }
  }
  return {nullptr, nullptr};
}

/// Any warp and split of the block that still has something to do.
std::pair<const WarpContext*, const Split*> AnySplit(const BlockContext& block) {
  for (const WarpContext& warp : block.warps) {
    if (!warp.splits.empty()) return {&warp, &warp.splits.front()};
  }
  return {nullptr, nullptr};
}

/// "lanes 0 to 15", or how many there are if they are not consecutive.
Message WhichLanes(Mask lanes) {
  const int first = std::countr_zero(lanes), count = std::popcount(lanes);
  const bool is_run = std::countr_one(lanes >> first) == count;
  return count > 1 && is_run ? say::lanes_in_range(say::Range(first, first + count - 1))
                             : say::lanes_counted(say::Count(count, "thread"));
}

}  // namespace

void FaultReporter::PartialWarpAtBarrier(const WarpContext& warp, const Inst& inst, Mask arrived) {
  if (Fold({FindingKind::kDivergentBarrier, inst.line, inst.line, 0})) return;
  Finding finding =
      Begin(FindingKind::kDivergentBarrier, Severity::kError, warp, inst, std::countr_zero(arrived));
  finding.message =
      say::part_of_warp_at_barrier(std::popcount(arrived), std::popcount(warp.live), warp.index);
  findings_.push_back(std::move(finding));
}

void FaultReporter::PartialWarpAtCollective(const WarpContext& warp, const Inst& inst, Mask arrived) {
  if (Fold({FindingKind::kDivergentBarrier, inst.line, inst.line, 0})) return;
  Finding finding =
      Begin(FindingKind::kDivergentBarrier, Severity::kError, warp, inst, std::countr_zero(arrived));
  finding.message = say::part_of_warp_at_matrix(std::popcount(arrived), kWarpSize, warp.index);
  findings_.push_back(std::move(finding));
}

void FaultReporter::DifferentBarriers(const WarpContext& warp, const Inst& first, const Inst& second,
                                      Mask lanes) {
  if (Fold({FindingKind::kDivergentBarrier, std::min(first.line, second.line),
            std::max(first.line, second.line), 0})) {
    return;
  }
  Finding finding =
      Begin(FindingKind::kDivergentBarrier, Severity::kError, warp, second, std::countr_zero(lanes));
  finding.other = grid_.program->Where(first);
  finding.message = say::two_barriers();
  findings_.push_back(std::move(finding));
}

/// Before 7.0: "barriers are executed on a per-warp basis as if all the threads in a warp are active", and
/// the count of arrivals goes up by the warp's size (PTX ISA up to 5.x, `bar`). So a barrier could open
/// though threads had not come, as long as one of each warp did ("Pascal and prior", CUDA C++ Programming
/// Guide, "Compute Capability 7.x, Independent Thread Scheduling"); since 7.0 it waits for each thread that
/// has not exited.
void FaultReporter::BarrierAfterExit(const WarpContext& warp, const Inst& inst, Mask lanes,
                                     std::uint32_t returned) {
  if (Fold({FindingKind::kBarrierAfterExit, inst.line, 0, 0})) return;
  Finding finding =
      Begin(FindingKind::kBarrierAfterExit, Severity::kWarning, warp, inst, std::countr_zero(lanes));
  finding.message = say::barrier_after_exit(returned, warp.block->threads);
  findings_.push_back(std::move(finding));
}

/// A warning: some kernels never use what such lanes get, such as a sum of 16 lanes that shuffles in lanes 8
/// to 15, too. PTX lets a shuffle wait for "all non-exited threads" of its mask (PTX ISA, shfl.sync), so
/// lanes that return early break no rule until another lane wants their values; that they ran past the
/// shuffle without returning only the source shows (grader/build/skipped_shuffles.h).
void FaultReporter::ShuffleAfterExit(const WarpContext& warp, const Inst& inst, Mask arrived, Mask lanes,
                                     const std::uint32_t* from) {
  const auto count = static_cast<std::uint64_t>(std::popcount(lanes));
  if (Fold({FindingKind::kShuffleAfterExit, inst.line, 0, 0}, count)) return;
  const int lane = std::countr_zero(lanes);
  const std::uint32_t other = from[lane];
  Finding finding = Begin(FindingKind::kShuffleAfterExit, Severity::kWarning, warp, inst, lane);
  finding.count = count;
  const bool was_there = warp.index * kWarpSize + other < warp.block->threads;
  const bool names_all = warp.Lanes<const Mask>(inst.members)[lane] == kAllLanes;
  finding.message = !was_there  ? say::shuffle_from_absent(lane, warp.index, other)
                    : names_all ? say::shuffle_lacks_lanes(WhichLanes(arrived), warp.index, lane, other)
                                : say::shuffle_from_returned(lane, warp.index, other);
  findings_.push_back(std::move(finding));
}

/// An error, unlike a shuffle from a lane that is gone: no kernel needs it ("each calling thread must have
/// its own bit set in the mask", CUDA C++ Programming Guide, "Warp Shuffle Functions"; likewise PTX ISA,
/// "Parallel Synchronization and Communication Instructions"), it also leaves unordered what __syncwarp() is
/// there to order, and compute-sanitizer reports it as an error, too.
void FaultReporter::MaskWithoutLane(const WarpContext& warp, const Inst& inst, Mask lanes) {
  const auto count = static_cast<std::uint64_t>(std::popcount(lanes));
  if (Fold({FindingKind::kMaskWithoutLane, inst.line, 0, 0}, count)) return;
  const int lane = std::countr_zero(lanes);
  Finding finding = Begin(FindingKind::kMaskWithoutLane, Severity::kError, warp, inst, lane);
  finding.count = count;
  char mask[11];
  std::snprintf(mask, sizeof mask, "0x%08x", warp.Lanes<const Mask>(inst.members)[lane]);
  finding.message = say::mask_without_lane(lane, warp.index, mask);
  findings_.push_back(std::move(finding));
}

Message FaultReporter::WhoWaits(const BlockContext& block) const {
  std::map<int, std::uint32_t> waiting;  // By line.
  std::uint32_t all = 0;
  for (const WarpContext& warp : block.warps) {
    for (const Split& split : warp.splits) {
      if (split.state == Split::State::kRunnable) continue;
      const auto threads = static_cast<std::uint32_t>(std::popcount(split.mask));
      waiting[LineOf(split)] += threads;
      all += threads;
    }
  }
  const bool at_lines = waiting.size() <= 2 && !waiting.contains(0) && !waiting.empty();
  Message who = say::threads_wait(all, block.threads);
  if (at_lines) {
    const auto [line, threads] = *waiting.begin();
    const auto [last_line, last_threads] = *waiting.rbegin();
    who = waiting.size() == 1
              ? say::threads_wait_at(threads, block.threads, line)
              : say::threads_wait_at_two(threads, block.threads, line, last_threads, last_line);
  }
  const std::uint32_t returned = block.threads - block.live_threads;
  return returned != 0 ? say::and_returned(who, returned) : who;
}

int FaultReporter::LineOf(const Split& split) const {
  return grid_.program->Where(grid_.program->code[static_cast<std::size_t>(split.pc)]).line;
}

/// Of lanes that wait in a shuffle or a vote: the warp's others wait elsewhere, and will not come.
Message FaultReporter::MembersMissing(const WarpContext& warp, const Split& waiting) const {
  Mask here = 0;
  int line = 0;
  bool one_line = true;
  for (const Split& split : warp.splits) {
    if (split.pc == waiting.pc) here |= split.mask;
    if (split.pc == waiting.pc || split.state == Split::State::kRunnable) continue;
    one_line &= line == 0 || line == LineOf(split);
    line = LineOf(split);
  }
  return say::deadlock_in_mask({std::popcount(here), "thread"}, warp.index, std::popcount(warp.live & ~here),
                               one_line && line != 0 ? say::at_line(line) : say::elsewhere());
}

void FaultReporter::Deadlock(const BlockContext& block) {
  auto [warp, split] = SplitThatMissesMembers(block);
  const bool misses_members = warp != nullptr;
  if (!misses_members) std::tie(warp, split) = AnySplit(block);
  if (!warp) return;
  const Inst& inst = grid_.program->code[static_cast<std::size_t>(split->pc)];
  if (Fold({FindingKind::kDeadlock, inst.line, 0, 0})) return;
  Finding finding =
      Begin(FindingKind::kDeadlock, Severity::kError, *warp, inst, std::countr_zero(split->mask));
  finding.message = misses_members ? MembersMissing(*warp, *split) : say::deadlock(WhoWaits(block));
  findings_.push_back(std::move(finding));
}

/// Of the innermost loop round an instruction, one with the loop's line: its test, if that is its last jump
/// (nvcc gives it the line of the `for`), else its barrier or, without one, its first instruction with a
/// line. The instruction itself if there is no loop.
const Inst& FaultReporter::LoopAround(std::int32_t pc) const {
  const auto& code = grid_.program->code;
  const auto line_of = [&](const Inst& inst) { return grid_.program->Where(inst).line; };
  const Inst* jump = nullptr;
  for (std::size_t i = static_cast<std::size_t>(pc); i < code.size(); ++i) {
    const bool encloses = code[i].control == Control::kBranch && code[i].target <= pc;
    if (encloses && (!jump || code[i].target >= jump->target)) jump = &code[i];
  }
  if (!jump) return code[static_cast<std::size_t>(pc)];
  if (jump->guard != kNoOperand && line_of(*jump) != 0) return *jump;
  const Inst *barrier = nullptr, *first = nullptr;
  for (auto at = static_cast<std::size_t>(jump->target); at < jump->index; ++at) {
    if (line_of(code[at]) == 0) continue;
    if (!first) first = &code[at];
    if (code[at].control != Control::kBarrier) continue;
    if (!barrier || line_of(code[at]) < line_of(*barrier)) barrier = &code[at];
  }
  return barrier ? *barrier : first ? *first : code[static_cast<std::size_t>(pc)];
}

void FaultReporter::EndlessLoop(const WarpContext& warp, const Split& split) {
  const Inst& inst = LoopAround(split.pc);
  if (Fold({FindingKind::kEndlessLoop, 0, 0, 0})) return;
  Finding finding =
      Begin(FindingKind::kEndlessLoop, Severity::kError, warp, inst, std::countr_zero(split.mask));
  finding.message = say::endless_loop(grid_.observation.max_warp_instructions);
  findings_.push_back(std::move(finding));
}

void FaultReporter::Interrupted(const BlockContext& block) {
  auto [warp, split] = AnySplit(block);
  if (!warp) return;
  const Inst& inst = grid_.program->code[static_cast<std::size_t>(split->pc)];
  if (Fold({FindingKind::kEndlessLoop, 1, 0, 0})) return;
  Finding finding =
      Begin(FindingKind::kEndlessLoop, Severity::kWarning, *warp, inst, std::countr_zero(split->mask));
  finding.message = say::interrupted();
  findings_.push_back(std::move(finding));
}

}  // namespace warplings::vgpu
