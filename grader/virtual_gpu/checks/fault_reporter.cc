// SPDX-License-Identifier: Apache-2.0
#include "grader/virtual_gpu/checks/fault_reporter.h"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstring>
#include <map>
#include <tuple>
#include <utility>

#include "grader/messages/findings.h"

namespace warplings::vgpu {
namespace {

say::Count Bytes(std::uint64_t bytes) {
  return say::Count(bytes, "byte");
}

Dim3 ThreadIndex(const WarpContext& warp, int lane) {
  const Dim3& block = warp.block->grid->block;
  const std::uint32_t linear = warp.index * kWarpSize + static_cast<std::uint32_t>(lane);
  return {linear % block.x, linear / block.x % block.y, linear / block.x / block.y};
}

/// "shared", in front of "memory".
Message SpaceWord(MemorySpace space) {
  switch (space) {
    case MemorySpace::kShared: return say::shared_space();
    case MemorySpace::kLocal: return say::local_space();
    case MemorySpace::kConstant: return say::constant_space();
    case MemorySpace::kParameter: return say::parameter_space();
    case MemorySpace::kNone:
    case MemorySpace::kGlobal: break;
  }
  return say::global_space();
}

/// Of an access that leaves the finding's object, which has `size` bytes.
Message Position(const Finding& finding, std::uint64_t size) {
  const Message verb = Verb(finding.access);
  const say::Count bytes = Bytes(finding.access_bytes);
  if (finding.offset_bytes < 0) {
    return say::before_start(verb, bytes, Bytes(static_cast<std::uint64_t>(-finding.offset_bytes)),
                             finding.object);
  }
  const auto at = static_cast<std::uint64_t>(finding.offset_bytes);
  if (at == size) return say::right_past_end(verb, bytes, finding.object);
  if (at > size) return say::past_end(verb, bytes, Bytes(at - size), finding.object);
  return say::across_end(verb, bytes, finding.object);
}

Message PositionAndSize(const Finding& finding, std::uint64_t size) {
  return say::of_size(Position(finding, size), Bytes(size));
}

}  // namespace

Message Verb(Access access) {
  switch (access) {
    case Access::kRead: return say::reads();
    case Access::kWrite: return say::writes();
    case Access::kAtomic: return say::atomically_updates();
    case Access::kNone: break;
  }
  return say::touches();
}

bool FaultReporter::Fold(const Key& key, std::uint64_t count) {
  auto [entry, is_new] = folded_.emplace(key, findings_.size());
  if (!is_new) findings_[entry->second].count += count;
  if (is_new) keys_.push_back(key);
  return !is_new;
}

Finding FaultReporter::Begin(FindingKind kind, Severity severity, const WarpContext& warp, const Inst& inst,
                             int lane) const {
  Finding finding;
  finding.kind = kind;
  finding.severity = severity;
  finding.kernel = grid_.program->plain_name;
  finding.block = warp.block->index;
  finding.thread = ThreadIndex(warp, lane);
  finding.where = grid_.program->Where(inst);
  return finding;
}

Message FaultReporter::ObjectName(const Region& region) const {
  if (!region.label.empty()) return region.label;
  for (std::size_t i = 0; i < grid_.program->parameters.size(); ++i) {
    const auto& parameter = grid_.program->parameters[i];
    std::uint64_t value = 0;
    if (parameter.bytes != sizeof value || parameter.offset + sizeof value > grid_.arguments.size()) continue;
    std::memcpy(&value, grid_.arguments.data() + parameter.offset, sizeof value);
    if (value - region.start < region.bytes) return say::argument(i + 1);
  }
  return say::an_allocation(Bytes(region.bytes));
}

void FaultReporter::DescribeGlobal(Finding& finding, const Region& region, std::uint64_t address) const {
  finding.space = MemorySpace::kGlobal;
  finding.object = ObjectName(region);
  finding.object_bytes = static_cast<std::int64_t>(region.bytes);
  finding.offset_bytes = static_cast<std::int64_t>(address - region.start);
}

void FaultReporter::DescribeShared(Finding& finding, std::uint64_t offset) const {
  finding.space = MemorySpace::kShared;
  finding.offset_bytes = static_cast<std::int64_t>(offset);
  const SharedArray* nearest = nullptr;
  for (const SharedArray& array : grid_.program->shared) {
    if (array.offset <= offset) nearest = &array;  // in order of offset
  }
  if (!nearest) return;
  finding.object = say::shared_array(nearest->name);
  finding.object_bytes = nearest->is_dynamic ? grid_.dynamic_shared_bytes : nearest->bytes;
  finding.offset_bytes -= nearest->offset;
}

void FaultReporter::OutOfBoundsGlobal(const WarpContext& warp, const Inst& inst, int lane,
                                      std::uint64_t address, std::uint32_t bytes, Access access) {
  const Region* freed = grid_.memory->FindFreed(address);
  const Region* inside = grid_.memory->Find(address);
  const Region* nearest = freed ? freed : inside ? inside : grid_.memory->FindNearest(address);
  const FindingKind kind = freed ? FindingKind::kUseAfterFree : FindingKind::kOutOfBounds;
  if (Fold({kind, inst.line, 0, nearest ? nearest->start : 0})) return;

  Finding finding = Begin(kind, Severity::kError, warp, inst, lane);
  finding.access = access;
  finding.access_bytes = bytes;
  finding.space = MemorySpace::kGlobal;
  const Message verb = Verb(access);
  // Farther from everything than any plausible index fault: not an overflow of some array.
  const std::uint64_t distance = !nearest                   ? ~std::uint64_t{0}
                                 : address < nearest->start ? nearest->start - address
                                                            : address - nearest->start;
  if (address < 4096) {
    finding.message = say::null_pointer(verb, Bytes(bytes));
    finding.offset_bytes = static_cast<std::int64_t>(address);
  } else if (const auto other = inside ? std::nullopt : grid_.memory->OtherCardWith(address)) {
    finding.message = say::memory_of_other_device(verb, Bytes(bytes), *other);
  } else if (!nearest || distance > nearest->bytes * 4 + (std::uint64_t{16} << 20)) {
    finding.message = say::no_allocation(verb, Bytes(bytes));
  } else {
    DescribeGlobal(finding, *nearest, address);
    if (freed) {
      finding.message = say::after_free(verb, Bytes(bytes), finding.object);
    } else if (inside && inside->is_constant && access != Access::kRead) {
      finding.message = say::constant_written(verb, Bytes(bytes), finding.object);
    } else {
      finding.message = PositionAndSize(finding, nearest->bytes);
    }
  }
  findings_.push_back(std::move(finding));
}

void FaultReporter::OutOfBoundsWindow(const WarpContext& warp, const Inst& inst, int lane, MemorySpace space,
                                      std::uint64_t offset, std::uint32_t bytes, Access access) {
  if (Fold({FindingKind::kOutOfBounds, inst.line, 0, 0})) return;
  Finding finding = Begin(FindingKind::kOutOfBounds, Severity::kError, warp, inst, lane);
  finding.access = access;
  finding.access_bytes = bytes;
  finding.space = space;
  const Message verb = Verb(access);
  if (space == MemorySpace::kShared) {
    // A negative index wraps around 32 bits.
    const auto signed_offset = static_cast<std::int64_t>(static_cast<std::int32_t>(offset));
    if (offset < (std::uint64_t{1} << 32) && signed_offset < 0 && !grid_.program->shared.empty()) {
      finding.object = say::shared_array(grid_.program->shared.front().name);
      finding.offset_bytes = signed_offset;
      finding.message = Position(finding, 0);
    } else {
      DescribeShared(finding, offset);
      finding.message = finding.object.empty()
                            ? say::no_shared_memory(verb, Bytes(bytes))
                            : PositionAndSize(finding, static_cast<std::uint64_t>(finding.object_bytes));
    }
  } else {
    finding.offset_bytes = static_cast<std::int64_t>(offset);
    finding.message = space == MemorySpace::kLocal
                          ? say::outside_local(verb, Bytes(bytes))
                          : say::outside_window(verb, Bytes(bytes), SpaceWord(space));
  }
  findings_.push_back(std::move(finding));
}

void FaultReporter::Misaligned(const WarpContext& warp, const Inst& inst, int lane, MemorySpace space,
                               std::uint64_t address, std::uint32_t bytes, Access access) {
  if (Fold({FindingKind::kMisaligned, inst.line, 0, 0})) return;
  Finding finding = Begin(FindingKind::kMisaligned, Severity::kError, warp, inst, lane);
  finding.access = access;
  finding.access_bytes = bytes;
  finding.space = space;
  if (space == MemorySpace::kGlobal) {
    if (const Region* region = grid_.memory->Find(address)) DescribeGlobal(finding, *region, address);
  } else if (space == MemorySpace::kShared) {
    DescribeShared(finding, address);
  }
  const Message verb = Verb(access);
  finding.message =
      finding.object.empty()
          ? say::misaligned(verb, Bytes(bytes), bytes)
          : say::misaligned_in(verb, Bytes(bytes), bytes,
                               Bytes(static_cast<std::uint64_t>(finding.offset_bytes)), finding.object);
  findings_.push_back(std::move(finding));
}

void FaultReporter::Uninitialised(const WarpContext& warp, const Inst& inst, int lane, MemorySpace space,
                                  std::uint64_t address, std::uint32_t bytes) {
  const Region* region = space == MemorySpace::kGlobal ? grid_.memory->Find(address) : nullptr;
  if (Fold({FindingKind::kUninitialised, inst.line, 0, region ? region->start : 0})) return;
  Finding finding = Begin(FindingKind::kUninitialised, Severity::kError, warp, inst, lane);
  finding.access = Access::kRead;
  finding.access_bytes = bytes;
  finding.space = space;
  if (region) DescribeGlobal(finding, *region, address);
  if (space == MemorySpace::kShared) DescribeShared(finding, address);
  finding.message = finding.object.empty() ? say::read_unwritten_memory(Bytes(bytes), SpaceWord(space))
                                           : say::read_unwritten(Bytes(bytes), finding.object);
  findings_.push_back(std::move(finding));
}

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
/// to 15, too.
void FaultReporter::ShuffleAfterExit(const WarpContext& warp, const Inst& inst, Mask lanes,
                                     const std::uint32_t* from) {
  const auto count = static_cast<std::uint64_t>(std::popcount(lanes));
  if (Fold({FindingKind::kShuffleAfterExit, inst.line, 0, 0}, count)) return;
  const int lane = std::countr_zero(lanes);
  const std::uint32_t other = from[lane];
  Finding finding = Begin(FindingKind::kShuffleAfterExit, Severity::kWarning, warp, inst, lane);
  finding.count = count;
  const bool was_there = warp.index * kWarpSize + other < warp.block->threads;
  finding.message = was_there ? say::shuffle_from_returned(lane, warp.index, other)
                              : say::shuffle_from_absent(lane, warp.index, other);
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

/// A warning: what nobody uses does no harm, and where somebody does, the values are wrong.
void FaultReporter::DivisionByZero(const WarpContext& warp, const Inst& inst, Mask lanes) {
  const auto count = static_cast<std::uint64_t>(std::popcount(lanes));
  if (Fold({FindingKind::kDivisionByZero, inst.line, 0, 0}, count)) return;
  Finding finding =
      Begin(FindingKind::kDivisionByZero, Severity::kWarning, warp, inst, std::countr_zero(lanes));
  finding.count = count;
  finding.message = say::division_by_zero();
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
  return say::deadlock_in_mask(std::popcount(here), warp.index, std::popcount(warp.live & ~here),
                               one_line && line != 0 ? say::at_line(line) : say::elsewhere());
}

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

}  // namespace

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

void FaultReporter::Trap(const WarpContext& warp, const Inst& inst, Mask lanes, const Message& what) {
  if (Fold({FindingKind::kTrap, inst.line, 0, 0}, static_cast<std::uint64_t>(std::popcount(lanes)))) return;
  Finding finding = Begin(FindingKind::kTrap, Severity::kError, warp, inst, std::countr_zero(lanes));
  finding.count = static_cast<std::uint64_t>(std::popcount(lanes));
  finding.message = what;
  findings_.push_back(std::move(finding));
}

void FaultReporter::InvalidFree(const WarpContext& warp, const Inst& inst, int lane, const Message& what) {
  if (Fold({FindingKind::kInvalidCall, inst.line, 0, 0})) return;
  Finding finding = Begin(FindingKind::kInvalidCall, Severity::kError, warp, inst, lane);
  finding.message = what;
  findings_.push_back(std::move(finding));
}

void FaultReporter::StackOverflow(const WarpContext& warp, const Inst& inst, Mask lanes) {
  Trap(warp, inst, lanes, say::stack_overflow());
}

std::vector<Finding> FaultReporter::Take() {
  folded_.clear();
  keys_.clear();
  return std::exchange(findings_, {});
}

void FaultReporter::EndOfIndependentBlocks(bool is_complete) {
  // What a block saw of a word that others wrote as well depends on who came first.
  if (!grid_.races || !grid_.races->met) return;
  if (is_complete) {
    BlockRaces(*grid_.races);
  } else {
    DropGlobalRaces();
  }
}

void FaultReporter::Absorb(Faults& of_later) {
  auto& later = static_cast<FaultReporter&>(of_later);
  for (std::size_t i = 0; i < later.findings_.size(); ++i) {
    if (!Fold(later.keys_[i], later.findings_[i].count)) findings_.push_back(std::move(later.findings_[i]));
  }
  later.Take();
}

}  // namespace warplings::vgpu
