// SPDX-License-Identifier: Apache-2.0
#include "grader/virtual_gpu/checks/fault_reporter.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "grader/messages/findings.h"
#include "grader/virtual_gpu/checks/wrapped_index.h"
#include "grader/virtual_gpu/memory/unset_bytes.h"

namespace warplings::vgpu {
namespace {

say::Count Bytes(std::uint64_t bytes) {
  return say::Count(bytes, "byte");
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

/// The line of the lane's instruction or, in a function without lines, of the call of it.
SourceLine LineOrCall(const Program& program, const WarpContext& warp, const Inst& inst, int lane) {
  const SourceLine own = program.Where(inst);
  if (own.line != 0) return own;
  for (const Split& split : warp.splits) {
    if ((split.mask >> lane & 1) == 0) continue;
    for (std::int32_t node = split.node; node >= 0;) {
      const Divergence& divergence = warp.divergences[static_cast<std::size_t>(node)];
      node = divergence.parent;
      if (divergence.call == nullptr || divergence.reconverge <= 0) continue;
      const SourceLine call =
          program.Where(program.code[static_cast<std::size_t>(divergence.reconverge) - 1]);
      if (call.line != 0) return call;
    }
  }
  return own;
}

/// Of an access to shared memory: only an array whose size the launch gives can have none.
bool IsEmptyDynamicArray(const Finding& finding) {
  return finding.object_bytes == 0 && finding.offset_bytes >= 0;
}

/// Whether the access gets to bytes that the launch adds, although the kernel has no array there.
bool GetsToUnusedBytes(const Finding& finding, const GridRequest& grid, std::uint64_t offset) {
  return !finding.object.empty() && grid.dynamic_shared_bytes > 0 && !grid.program->uses_dynamic_shared &&
         offset + finding.access_bytes > grid.program->shared_bytes;
}

/// An object that is named by its size, "an allocation of 36 bytes", does not need it again.
Message PositionAndSize(const Finding& finding, std::uint64_t size) {
  const Message position = Position(finding, size);
  return say::an_allocation.Made(finding.object) ? position : say::of_size(position, Bytes(size));
}

/// Memory that the submission allocated in an earlier call may have had the right size for that one.
Message PositionInRegion(const Finding& finding, const Region& region) {
  const bool is_of_earlier_call = region.is_older && say::argument.Made(finding.object);
  return is_of_earlier_call
             ? say::of_size_from_earlier_call(Position(finding, region.bytes), Bytes(region.bytes))
             : PositionAndSize(finding, region.bytes);
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

Dim3 ThreadIndex(const Dim3& block, std::uint32_t warp, std::uint32_t lane) {
  const std::uint32_t linear = warp * kWarpSize + lane;
  return {linear % block.x, linear / block.x % block.y, linear / block.x / block.y};
}

Message NameOf(const Region& region, const GridRequest& grid) {
  if (region.is_variable) return say::variable_named(region.label);
  if (!region.label.empty()) return region.label;
  for (std::size_t i = 0; grid.program != nullptr && i < grid.program->parameters.size(); ++i) {
    const auto& parameter = grid.program->parameters[i];
    std::uint64_t value = 0;
    if (parameter.bytes != sizeof value || parameter.offset + sizeof value > grid.arguments.size()) continue;
    std::memcpy(&value, grid.arguments.data() + parameter.offset, sizeof value);
    if (value - region.start < region.bytes) return say::argument(i + 1);
  }
  return say::an_allocation(Bytes(region.bytes));
}

std::optional<std::size_t> ArgumentBehind(std::uint64_t address, const GridRequest& grid) {
  constexpr std::uint64_t kLeast = 64u << 10, kFarthest = std::uint64_t{4} << 30;
  if (grid.program == nullptr) return std::nullopt;
  std::optional<std::size_t> found;
  std::uint64_t nearest = 0;
  for (std::size_t i = 0; i < grid.program->parameters.size(); ++i) {
    const auto& parameter = grid.program->parameters[i];
    std::uint64_t value = 0;
    if (parameter.bytes != sizeof value || parameter.offset + sizeof value > grid.arguments.size()) continue;
    std::memcpy(&value, grid.arguments.data() + parameter.offset, sizeof value);
    const bool leads_there = value >= kLeast && value <= address && address - value < kFarthest;
    if (!leads_there || value <= nearest || grid.memory->Find(value) != nullptr) continue;
    found = i + 1;
    nearest = value;
  }
  return found;
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
  finding.thread = ThreadIndex(warp.block->grid->block, warp.index, static_cast<std::uint32_t>(lane));
  finding.where = LineOrCall(*grid_.program, warp, inst, lane);
  return finding;
}

void FaultReporter::DescribeGlobal(Finding& finding, const Region& region, std::uint64_t address) const {
  finding.space = MemorySpace::kGlobal;
  finding.object = NameOf(region, grid_);
  finding.object_bytes = static_cast<std::int64_t>(region.bytes);
  finding.offset_bytes = static_cast<std::int64_t>(address - region.start);
}

namespace {

Message ObjectOf(const SharedArray& array) {
  return array.is_variable ? say::shared_variable(array.name) : say::shared_array(array.name);
}

}  // namespace

void FaultReporter::DescribeShared(Finding& finding, std::uint64_t offset) const {
  finding.space = MemorySpace::kShared;
  finding.offset_bytes = static_cast<std::int64_t>(offset);
  const SharedArray* nearest = nullptr;
  for (const SharedArray& array : grid_.program->shared) {
    if (array.offset <= offset) nearest = &array;  // in order of offset
  }
  if (!nearest) return;
  finding.object = ObjectOf(*nearest);
  finding.object_bytes = SizeOf(*nearest);
  finding.offset_bytes -= nearest->offset;
}

namespace {

/// How far an address is from [start, start + bytes), on either side.
std::uint64_t Distance(std::int64_t start, std::int64_t bytes, std::int64_t address) {
  if (address < start) return static_cast<std::uint64_t>(start - address);
  return address < start + bytes ? 0 : static_cast<std::uint64_t>(address - start - bytes);
}

/// Calls `visit(base)` for each array that an instruction computes addresses from.
template <class Visit>
void ForEachBase(const Program& program, const Inst& inst, Visit&& visit) {
  if (inst.index >= program.bases.size()) return;
  for (std::uint64_t left = program.bases[inst.index]; left != 0; left &= left - 1)
    visit(program.address_bases[static_cast<std::size_t>(std::countr_zero(left))]);
}

}  // namespace

const Region* FaultReporter::MeantRegion(const Inst& inst, std::uint64_t address) const {
  const Region* meant = nullptr;
  std::uint64_t least = 0;
  ForEachBase(*grid_.program, inst, [&](const AddressBase& base) {
    std::uint64_t pointer = base.value;
    if (base.kind == AddressBase::Kind::kShared) return;
    if (base.kind == AddressBase::Kind::kArgument) {
      if (base.value + sizeof pointer > grid_.arguments.size()) return;
      std::memcpy(&pointer, grid_.arguments.data() + base.value, sizeof pointer);
    }
    const Region* region = grid_.memory->Find(pointer);
    if (!region) return;
    const std::uint64_t distance =
        Distance(static_cast<std::int64_t>(region->start), static_cast<std::int64_t>(region->bytes),
                 static_cast<std::int64_t>(address));
    if (meant && distance >= least) return;
    meant = region;
    least = distance;
  });
  return meant ? meant : grid_.memory->FindNearest(address);
}

std::int64_t FaultReporter::SizeOf(const SharedArray& array) const {
  return array.is_dynamic ? grid_.dynamic_shared_bytes : array.bytes;
}

const SharedArray* FaultReporter::MeantShared(const Inst& inst, std::int64_t offset) const {
  const auto& arrays = grid_.program->shared;
  const auto is_named = [&](const SharedArray& array) {
    bool is_it = false;
    ForEachBase(*grid_.program, inst, [&](const AddressBase& base) {
      is_it |= base.kind == AddressBase::Kind::kShared && base.value == array.offset;
    });
    return is_it;
  };
  const SharedArray* meant = nullptr;
  std::pair<bool, std::uint64_t> least;
  for (const SharedArray& array : arrays) {
    const std::pair rank(!is_named(array), Distance(array.offset, SizeOf(array), offset));
    if (meant && rank >= least) continue;
    meant = &array;
    least = rank;
  }
  return meant;
}

/// Where a called function's variables are depends on who calls it.
const LocalObject* FaultReporter::MeantLocal(const Inst& inst, std::int64_t offset) const {
  const Program& program = *grid_.program;
  const auto at = static_cast<std::int32_t>(inst.index);
  const bool is_in_function = std::ranges::any_of(program.functions, [&](const FunctionCode& function) {
    return function.is_decoded && function.entry > program.kernel.entry && function.entry <= at;
  });
  // Past the kernel's own frame are those of the functions that it calls.
  const bool is_in_frame = program.calls.empty() || offset < std::int64_t{program.kernel.local_bytes};
  if (is_in_function || program.is_debug || !is_in_frame) return nullptr;
  const auto distance = [&](const LocalObject& each) { return Distance(each.offset, each.bytes, offset); };
  const auto nearest = std::ranges::min_element(program.kernel.locals, {}, distance);
  return nearest == program.kernel.locals.end() ? nullptr : &*nearest;
}

void FaultReporter::DescribeLost(Finding& finding, std::uint64_t address) const {
  const Message verb = Verb(finding.access);
  const say::Count bytes = Bytes(finding.access_bytes);
  if (const auto argument = ArgumentBehind(address, grid_)) {
    finding.message = say::argument_outside_memory(verb, bytes, *argument);
  } else if (const auto wrapped = FindWrappedIndex(address, finding.access_bytes, grid_)) {
    if (wrapped->region == nullptr) {
      finding.message = say::offset_below_zero(verb, bytes);
      return;
    }
    DescribeGlobal(finding, *wrapped->region, address);
    finding.message = say::index_below_zero(verb, say::numbered_element(finding.object, wrapped->used()),
                                            wrapped->meant, wrapped->used());
  } else {
    // The host has no memory among the addresses of the device.
    const bool is_of_device = address >= kFirstDeviceAddress && address < kEndOfDeviceAddresses;
    finding.message = is_of_device ? say::outside_allocations(verb, bytes) : say::no_allocation(verb, bytes);
  }
}

void FaultReporter::OutOfBoundsGlobal(const WarpContext& warp, const Inst& inst, int lane,
                                      std::uint64_t address, std::uint32_t bytes, Access access) {
  const Region* freed = grid_.memory->FindFreed(address);
  const Region* inside = grid_.memory->Find(address);
  const Region* nearest = freed ? freed : inside ? inside : MeantRegion(inst, address);
  const FindingKind kind = freed ? FindingKind::kUseAfterFree : FindingKind::kOutOfBounds;
  // Farther from everything than any plausible index fault: not an overflow of some array.
  const std::uint64_t distance = !nearest                   ? ~std::uint64_t{0}
                                 : address < nearest->start ? nearest->start - address
                                                            : address - nearest->start;
  const bool is_lost = !nearest || distance > nearest->bytes * 4 + (std::uint64_t{16} << 20);
  // Host pointers are told apart by the argument: a line may use several.
  const std::uint64_t argument = is_lost ? ArgumentBehind(address, grid_).value_or(0) : 0;
  const std::uint64_t place = argument != 0 ? argument : nearest ? nearest->start : 0;
  if (Fold({kind, inst.line, static_cast<std::uint32_t>(access), place})) return;

  Finding finding = Begin(kind, Severity::kError, warp, inst, lane);
  finding.access = access;
  finding.access_bytes = bytes;
  finding.space = MemorySpace::kGlobal;
  const Message verb = Verb(access);
  if (address < 4096) {
    finding.message = say::null_pointer(verb, Bytes(bytes));
    finding.offset_bytes = static_cast<std::int64_t>(address);
  } else if (const auto other = inside ? std::nullopt : grid_.memory->OtherCardWith(address)) {
    const auto& row = grid_.memory->HasPeerAccess(*other) ? say::closed_memory_of_other_device
                                                          : say::memory_of_other_device;
    finding.message = row(verb, Bytes(bytes), *other);
  } else if (is_lost) {
    DescribeLost(finding, address);
  } else {
    DescribeGlobal(finding, *nearest, address);
    if (freed) {
      const auto& row = freed->is_absent ? say::graph_memory_absent : say::after_free;
      finding.message = row(verb, Bytes(bytes), finding.object);
    } else if (inside && inside->is_constant && access != Access::kRead) {
      finding.message = say::constant_written(verb, Bytes(bytes), finding.object);
    } else {
      finding.message = PositionInRegion(finding, *nearest);
    }
  }
  findings_.push_back(std::move(finding));
}

void FaultReporter::OutOfBoundsWindow(const WarpContext& warp, const Inst& inst, int lane, MemorySpace space,
                                      std::uint64_t offset, std::uint32_t bytes, Access access) {
  if (Fold({FindingKind::kOutOfBounds, inst.line, static_cast<std::uint32_t>(access), 0})) return;
  Finding finding = Begin(FindingKind::kOutOfBounds, Severity::kError, warp, inst, lane);
  finding.access = access;
  finding.access_bytes = bytes;
  finding.space = space;
  const Message verb = Verb(access);
  // A negative index wraps around 32 bits.
  const auto wrapped = static_cast<std::int64_t>(static_cast<std::int32_t>(offset));
  const bool is_below = offset < (std::uint64_t{1} << 32) && wrapped < 0;
  const std::int64_t signed_offset = is_below ? wrapped : static_cast<std::int64_t>(offset);
  if (space == MemorySpace::kShared) {
    const SharedArray* array = MeantShared(inst, signed_offset);
    if (array) {
      finding.object = ObjectOf(*array);
      finding.object_bytes = SizeOf(*array);
      finding.offset_bytes = signed_offset - array->offset;
    } else {
      finding.offset_bytes = signed_offset;
    }
    finding.message = finding.object.empty() ? say::no_shared_memory(verb, Bytes(bytes))
                      : IsEmptyDynamicArray(finding)
                          ? say::launch_gives_no_bytes(verb, Bytes(bytes), finding.object)
                          : PositionAndSize(finding, static_cast<std::uint64_t>(finding.object_bytes));
    if (!is_below && GetsToUnusedBytes(finding, grid_, offset))
      finding.message = say::launch_gives_unused_bytes(finding.message, Bytes(grid_.dynamic_shared_bytes));
  } else if (const LocalObject* local =
                 space == MemorySpace::kLocal ? MeantLocal(inst, signed_offset) : nullptr) {
    finding.object = say::local_variable();
    finding.object_bytes = local->bytes;
    finding.offset_bytes = signed_offset - local->offset;
    finding.message = PositionAndSize(finding, local->bytes);
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

namespace {

/// The bytes at the beginning of an array that are filled, where nothing behind them is, `address` either; 0:
/// there are none, or others are filled, too.
std::uint64_t FilledBefore(const GlobalMemory& memory, const Region& region, std::uint64_t address) {
  const auto unset = FindUnsetBytes(memory, region.start, region.bytes);
  const bool is_rest = unset && unset->last + 1 == region.bytes &&
                       unset->count == region.bytes - unset->first && unset->first <= address - region.start;
  return is_rest ? unset->first : 0;
}

}  // namespace

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
  const bool is_of_program = region && grid_.observation.missing_waits;
  if (const std::uint64_t filled = is_of_program ? FilledBefore(*grid_.memory, *region, address) : 0)
    finding.message = say::read_past_filled(Bytes(bytes), finding.object, filled, region->bytes);
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

void FaultReporter::Trap(const WarpContext& warp, const Inst& inst, Mask lanes, const Message& what) {
  // Where others of the warp wait at a barrier, the lanes that they miss may be those of the trap, which skip
  // nothing.
  const bool any_waits = std::ranges::any_of(
      warp.splits, [](const Split& split) { return split.state == Split::State::kAtBarrier; });
  const Dim3 block = Begin(FindingKind::kTrap, Severity::kError, warp, inst, std::countr_zero(lanes)).block;
  if (any_waits) {
    KeepIf([&](const Finding& finding, const Key&) {
      return finding.block != block || !say::part_of_warp_at_barrier.Made(finding.message) ||
             finding.message.arguments().at(2).number != static_cast<std::int64_t>(warp.index);
    });
  }
  if (Fold({FindingKind::kTrap, inst.line, 0, 0}, static_cast<std::uint64_t>(std::popcount(lanes)))) return;
  Finding finding = Begin(FindingKind::kTrap, Severity::kError, warp, inst, std::countr_zero(lanes));
  finding.count = static_cast<std::uint64_t>(std::popcount(lanes));
  finding.message = what;
  findings_.push_back(std::move(finding));
}

void FaultReporter::NoTexture(const WarpContext& warp, const Inst& inst, Mask lanes) {
  OutsideTexture(warp, inst, lanes, say::no_texture());
}

void FaultReporter::NoSurface(const WarpContext& warp, const Inst& inst, Mask lanes) {
  OutsideTexture(warp, inst, lanes, say::no_surface());
}

void FaultReporter::OutsideSurface(const WarpContext& warp, const Inst& inst, Mask lanes, std::uint32_t width,
                                   std::uint32_t height) {
  OutsideTexture(warp, inst, lanes, say::outside_surface(width, height));
}

void FaultReporter::OutsideTexture(const WarpContext& warp, const Inst& inst, Mask lanes,
                                   const Message& what) {
  const auto count = static_cast<std::uint64_t>(std::popcount(lanes));
  if (Fold({FindingKind::kOutOfBounds, inst.line, 0, 0}, count)) return;
  Finding finding = Begin(FindingKind::kOutOfBounds, Severity::kError, warp, inst, std::countr_zero(lanes));
  finding.access = inst.access;
  finding.space = MemorySpace::kGlobal;
  finding.count = count;
  finding.message = what;
  findings_.push_back(std::move(finding));
}

void FaultReporter::InvalidFree(const WarpContext& warp, const Inst& inst, int lane, const Message& what) {
  if (Fold({FindingKind::kInvalidCall, inst.line, 0, 0})) return;
  Finding finding = Begin(FindingKind::kInvalidCall, Severity::kError, warp, inst, lane);
  finding.message = what;
  findings_.push_back(std::move(finding));
}

void FaultReporter::InvalidLaunch(const WarpContext& warp, const Inst& inst, int lane, Severity severity,
                                  const Message& what) {
  if (Fold({FindingKind::kInvalidLaunch, inst.line, static_cast<std::uint32_t>(severity), 0})) return;
  Finding finding = Begin(FindingKind::kInvalidLaunch, severity, warp, inst, lane);
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
