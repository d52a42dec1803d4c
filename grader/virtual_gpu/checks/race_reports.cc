// SPDX-License-Identifier: Apache-2.0
// The findings of races: what is said of two accesses that nothing orders.
#include <algorithm>
#include <set>
#include <utility>

#include "grader/messages/findings.h"
#include "grader/virtual_gpu/checks/fault_reporter.h"

namespace warplings::vgpu {
namespace {

/// Harmless on today's hardware: both write one value; or a plain read of a number that is updated atomically
/// gets it from before or from after, in global memory, where programs look before they update.
bool IsHarmless(const WarpAccess& access, MemorySpace space, const OtherAccess& other) {
  if (other.same_value && other.access == Access::kWrite) return true;
  const bool look = (access.access == Access::kRead && other.access == Access::kAtomic) ||
                    (access.access == Access::kAtomic && other.access == Access::kRead);
  return look && space == MemorySpace::kGlobal;
}

/// A plain read before a compare-and-swap: should it be out of date, the swap fails and says so.
bool IsLookBeforeSwap(const WarpAccess& access, const OtherAccess& other) {
  if (!other.inst) return false;
  return (access.access == Access::kRead && other.inst->is_compare_and_swap) ||
         (other.access == Access::kRead && access.inst->is_compare_and_swap);
}

}  // namespace

Message FaultReporter::OtherThread(const WarpContext& warp, int lane, const OtherAccess& other) const {
  if (other.is_of_other_warp) return say::another_thread();
  const bool in_warp = other.warp == warp.index;
  // Of several lanes that read an element, the record names one, which may be the one that now writes it.
  if (in_warp && static_cast<int>(other.lane) == lane) return say::another_thread_of_warp();
  const Dim3 index = ThreadIndex(warp.block->grid->block, other.warp, other.lane);
  const say::Thread thread(index.x, index.y, index.z);
  return in_warp ? say::other_thread_of_warp(thread) : say::other_thread(thread);
}

void FaultReporter::Race(const WarpAccess& access, int lane, MemorySpace space, const OtherAccess& other) {
  if (IsLookBeforeSwap(access, other)) return;
  const Inst& inst = *access.inst;
  const bool harmless = IsHarmless(access, space, other);
  const Region* region = space == MemorySpace::kGlobal ? grid_.memory->Find(access.address[lane]) : nullptr;
  // Either order of the two accesses is the same race.
  const std::uint32_t line = other.inst ? other.inst->line : inst.line;
  if (Fold({FindingKind::kRace, std::min(inst.line, line), std::max(inst.line, line),
            (region ? region->start : 0) + (harmless ? 1 : 0)})) {
    return;
  }
  const WarpContext& warp = *access.warp;
  Finding finding =
      Begin(FindingKind::kRace, harmless ? Severity::kWarning : Severity::kError, warp, inst, lane);
  finding.access = access.access;
  finding.access_bytes = access.bytes;
  if (other.inst && !other.same_instruction) finding.other = grid_.program->Where(*other.inst);
  if (region) DescribeGlobal(finding, *region, access.address[lane]);
  if (space == MemorySpace::kShared) DescribeShared(finding, access.address[lane]);
  finding.space = space;
  const bool in_warp = other.warp == warp.index && !other.is_of_other_warp;
  // A loop that is unrolled has a store several times. No barrier helps where one line stores twice.
  const bool same_store =
      other.same_instruction || (access.access == Access::kWrite && other.access == Access::kWrite &&
                                 inst.line != 0 && other.inst && other.inst->line == inst.line);
  const auto& row =
      harmless && other.same_value
          ? (other.same_instruction ? say::race_same_instruction_same_value : say::race_same_value)
      : same_store                  ? say::race_same_instruction
      : in_warp && inst.is_volatile ? say::race_in_warp_volatile
      : in_warp                     ? say::race_in_warp
                                    : say::race_in_block;
  finding.message = row(Verb(access.access), say::ElementOf(finding.object), OtherThread(warp, lane, other),
                        Verb(other.access));
  finding.other_access = other.access;
  findings_.push_back(std::move(finding));
}

void FaultReporter::RaceBetweenBlocks(const WarpAccess& access, int lane, const OtherAccess& other) {
  if (IsLookBeforeSwap(access, other)) return;
  const Inst& inst = *access.inst;
  const bool harmless = IsHarmless(access, MemorySpace::kGlobal, other);
  const Region* region = grid_.memory->Find(access.address[lane]);
  const std::uint32_t line = other.inst ? other.inst->line : inst.line;
  if (Fold({FindingKind::kRace, std::min(inst.line, line), std::max(inst.line, line),
            (region ? region->start : 0) + (harmless ? 1 : 0)})) {
    return;
  }
  Finding finding =
      Begin(FindingKind::kRace, harmless ? Severity::kWarning : Severity::kError, *access.warp, inst, lane);
  finding.access = access.access;
  finding.access_bytes = access.bytes;
  if (other.inst) finding.other = grid_.program->Where(*other.inst);
  if (region) DescribeGlobal(finding, *region, access.address[lane]);
  const auto& row = harmless && other.same_value ? say::race_of_blocks_same_value : say::race_of_blocks;
  finding.message = row(Verb(access.access), finding.object, Verb(other.access));
  finding.other_access = other.access;
  findings_.push_back(std::move(finding));
}

void FaultReporter::CopyUnderWay(const WarpAccess& access, int lane, const Inst* copy, bool own) {
  const Inst& inst = *access.inst;
  const std::uint32_t line = copy ? copy->line : inst.line;
  if (Fold({FindingKind::kRace, std::min(inst.line, line), std::max(inst.line, line), 2})) return;
  Finding finding = Begin(FindingKind::kRace, Severity::kError, *access.warp, inst, lane);
  finding.access = access.access;
  finding.access_bytes = access.bytes;
  if (copy) finding.other = grid_.program->Where(*copy);
  DescribeShared(finding, access.address[lane]);
  finding.other_access = Access::kWrite;
  finding.message = (own ? say::race_with_own_copy : say::race_with_copy)(Verb(access.access),
                                                                          say::ElementOf(finding.object));
  findings_.push_back(std::move(finding));
}

void FaultReporter::DropGlobalRaces() {
  KeepIf([](const Finding& finding, const Key&) {
    return finding.kind != FindingKind::kRace || finding.space != MemorySpace::kGlobal;
  });
}

void FaultReporter::BlockRaces(const RaceShadow& shadow) {
  const std::uint64_t step = std::uint64_t{1} << shadow.granule_shift();
  std::vector<std::pair<const Region*, std::uint64_t>> places;
  std::set<std::uint64_t> regions;
  grid_.memory->ForEachRegion([&](const Region& region) {
    for (std::uint64_t address = region.start; address < region.start + region.bytes; address += step) {
      const std::uint64_t write = shadow.At(address).first_write;
      if (!shadow.IsNow(write)) continue;
      const std::uint64_t read = shadow.FirstRead(address);
      const bool read_elsewhere =
          shadow.IsNow(read) &&
          (RaceShadow::BlockOf(read) != RaceShadow::BlockOf(write) || (read & RaceShadow::kMany));
      if (!(write & RaceShadow::kMany) && !read_elsewhere) continue;
      places.emplace_back(&region, address);
      regions.insert(region.start);
    }
  });
  // A key's last part is the region's start, or next to it.
  KeepIf([&](const Finding& finding, const Key& key) {
    return finding.kind != FindingKind::kRace || finding.space != MemorySpace::kGlobal ||
           !regions.contains(std::get<3>(key) & ~std::uint64_t{1});
  });
  for (const auto& [region, address] : places) BlockRace(shadow, *region, address);
}

void FaultReporter::BlockRace(const RaceShadow& shadow, const Region& region, std::uint64_t address) {
  const std::uint64_t write = shadow.At(address).first_write, read = shadow.FirstRead(address);
  const bool many_write = write & RaceShadow::kMany;
  // All write one value and nobody else reads it: harmless on today's hardware.
  const bool harmless = many_write && !(write & RaceShadow::kDifferent);
  const auto& code = grid_.program->code;
  const std::uint32_t writer = RaceShadow::InstructionOf(write);
  const std::uint32_t reader = many_write ? writer : RaceShadow::InstructionOf(read);
  const auto line = [&](std::uint32_t index) { return index < code.size() ? code[index].line : index; };
  if (Fold({FindingKind::kRace, line(writer), line(reader), region.start + (harmless ? 1 : 0)})) return;
  Finding finding;
  finding.kind = FindingKind::kRace;
  finding.severity = harmless ? Severity::kWarning : Severity::kError;
  finding.kernel = grid_.program->plain_name;
  const std::uint64_t block = RaceShadow::BlockOf(write);
  finding.block = {static_cast<std::uint32_t>(block % grid_.grid.x),
                   static_cast<std::uint32_t>(block / grid_.grid.x % grid_.grid.y),
                   static_cast<std::uint32_t>(block / grid_.grid.x / grid_.grid.y)};
  const std::uint32_t thread = RaceShadow::ThreadOf(write);
  finding.thread = {thread % grid_.block.x, thread / grid_.block.x % grid_.block.y,
                    thread / grid_.block.x / grid_.block.y};
  finding.access = Access::kWrite;
  finding.access_bytes = 1u << shadow.granule_shift();
  if (writer < code.size()) finding.where = grid_.program->Where(code[writer]);
  if (!many_write && reader < code.size()) finding.other = grid_.program->Where(code[reader]);
  DescribeGlobal(finding, region, address);
  const auto& row = !many_write ? say::race_with_reading_blocks
                    : harmless  ? say::race_of_many_blocks_same_value
                                : say::race_of_many_blocks;
  finding.message = row(finding.object);
  finding.other_access = many_write ? Access::kWrite : Access::kRead;
  findings_.push_back(std::move(finding));
}

}  // namespace warplings::vgpu
