// SPDX-License-Identifier: Apache-2.0
#include "grader/device/model/ledger.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

#include "grader/device/model/memory_refusals.h"
#include "grader/messages/device.h"

namespace warplings {
namespace {

constexpr ClientId kJudge = 0;

CudaStatus CheckRoom(const MessageRow<>& what, std::size_t count, std::size_t limit) {
  if (count < limit) return Unit{};
  return CudaFault{CudaError::kMemoryAllocation, say::more_than_possible(limit, what())};
}

}  // namespace

const Ledger::Holding& Ledger::Of(const Place& place) const {
  static const Holding kNothing;
  const auto found = holdings_.find(place);
  return found == holdings_.end() ? kNothing : found->second;
}

// --- Memory ----------------------------------------------------------------------------------------

CudaResult<Ledger::PreparedMemory> Ledger::PrepareMemory(const Place& owner, AllocationKind kind) {
  const Holding& holding = holdings_[owner];
  if (auto room = CheckRoom(say::its_allocations, holding.allocations, limits_.allocations); !room)
    return room.error();
  if (IsShared(kind)) {
    auto room =
        CheckRoom(say::its_shared_allocations, holding.shared_allocations, limits_.shared_allocations);
    if (!room) return room.error();
  }
  Memories made;
  use_.try_emplace(owner.device);
  made.emplace(0, Memory{.kind = kind, .owner = owner});
  return made.extract(made.begin());
}

void Ledger::AddMemory(PreparedMemory prepared, DevicePointer start, std::uint64_t bytes) {
  prepared.key() = start;
  Memory& memory = prepared.mapped();
  memory.start = start;
  memory.bytes = bytes;
  memory.is_absent = memory.kind == AllocationKind::kGraph;
  Count(memory, 1);
  if (memory.owner.client != kJudge && memory.kind != AllocationKind::kDescriptor)
    ++use_.at(memory.owner.device).allocations;
  if (!memory.is_absent) NoteUse(memory, true);
  memory_.insert(std::move(prepared));
}

void Ledger::AddVariable(const Place& owner, ModuleId module, DevicePointer start, std::uint64_t bytes,
                         AllocationKind kind) {
  Holding& holding = holdings_[owner];
  const auto [entry, is_new] = memory_.try_emplace(start, Memory{start, bytes, kind, owner, module});
  if (is_new && IsShared(kind)) ++holding.managed_variables;
}

void Ledger::Count(const Memory& memory, std::ptrdiff_t change) {
  if (memory.module != 0) return;
  Holding& holding = holdings_.at(memory.owner);
  holding.allocations += static_cast<std::size_t>(change);
  if (IsShared(memory.kind)) holding.shared_allocations += static_cast<std::size_t>(change);
}

void Ledger::NoteUse(const Memory& memory, bool present) {
  const bool is_on_card =
      memory.kind != AllocationKind::kPinned && memory.kind != AllocationKind::kDescriptor;
  if (memory.owner.client == kJudge || memory.module != 0 || !is_on_card) return;
  MemoryUse& use = use_.at(memory.owner.device);
  use.bytes = present ? use.bytes + memory.bytes : use.bytes - memory.bytes;
  use.most_bytes = std::max(use.most_bytes, use.bytes);
}

Ledger::MemoryUse Ledger::TakeMemoryUse(std::size_t device) {
  MemoryUse& use = use_[device];
  return std::exchange(use, {.allocations = 0, .bytes = use.bytes, .most_bytes = use.bytes});
}

const Ledger::Memory* Ledger::FindMemory(DevicePointer address) const {
  const auto after = memory_.upper_bound(address);
  if (after == memory_.begin()) return nullptr;
  const Memory& memory = std::prev(after)->second;
  const std::uint64_t offset = address - memory.start;
  return offset < memory.bytes || offset == 0 ? &memory : nullptr;
}

const Ledger::Memory* Ledger::FindFor(ClientId client, DevicePointer address) const {
  const Memory* memory = FindMemory(address);
  if (memory == nullptr) return nullptr;
  const bool permitted = client == kJudge || memory->owner.client == client || memory->owner.client == kJudge;
  return permitted ? memory : nullptr;
}

const Ledger::Memory* Ledger::FindJustBefore(ClientId client, DevicePointer address) const {
  // As cudaMalloc aligns allocations (CUDA C++ Programming Guide, "Device Memory Accesses").
  constexpr std::uint64_t kAlignment = 256;
  const auto after = memory_.upper_bound(address);
  if (after == memory_.begin()) return nullptr;
  const Memory& before = std::prev(after)->second;
  if (before.module != 0 || before.bytes == 0) return nullptr;
  const std::uint64_t last = before.start + before.bytes - 1;
  if (last / kAlignment != address / kAlignment) return nullptr;
  return FindFor(client, before.start);
}

CudaResult<Ledger::Memory> Ledger::CheckCopy(ClientId client, DevicePointer address,
                                             std::uint64_t bytes) const {
  const Memory* memory = FindFor(client, address);
  if (memory == nullptr) {
    const Memory* before = FindJustBefore(client, address);
    return before == nullptr ? NotLiveMemory() : JustPastAllocation(address - before->start, before->bytes);
  }
  const std::uint64_t offset = address - memory->start;
  if (bytes > memory->bytes - offset) return PastTheEnd(bytes, offset, memory->bytes);
  return *memory;
}

CudaResult<Ledger::Memory> Ledger::CheckFree(ClientId client, DevicePointer start) const {
  const Memory* memory = FindFor(client, start);
  if (memory == nullptr || memory->module != 0) return NotAnAllocation();
  if (memory->start != start) return InsideAnAllocation(start - memory->start);
  if (memory->owner.client == client) return *memory;
  return memory->owner.client == kJudge ? CallersMemory() : NotAnAllocation();
}

void Ledger::RemoveMemory(DevicePointer start) {
  const auto found = memory_.find(start);
  if (found == memory_.end()) return;
  Count(found->second, -1);
  if (!found->second.is_absent) NoteUse(found->second, false);
  memory_.erase(found);
}

void Ledger::BeginFree(DevicePointer start) {
  freeing_.insert(memory_.extract(start));
}

void Ledger::EndFree(DevicePointer start) {
  const auto found = freeing_.find(start);
  if (found == freeing_.end()) return;
  Count(found->second, -1);
  if (!found->second.is_absent) NoteUse(found->second, false);
  freeing_.erase(found);
}

bool Ledger::SharesWithHost(ClientId client) const {
  for (auto entry = holdings_.lower_bound({client, 0});
       entry != holdings_.end() && entry->first.client == client; ++entry) {
    if (entry->second.shared_allocations + entry->second.managed_variables != 0) return true;
  }
  return false;
}

bool Ledger::KeepMemory(DevicePointer start) {
  if (kept_.size() >= kMostKept) return false;
  Count(memory_.at(start), -1);
  if (!memory_.at(start).is_absent) NoteUse(memory_.at(start), false);
  kept_.insert(memory_.extract(start));
  return true;
}

Ledger::Memories Ledger::TakeKept() {
  return std::exchange(kept_, {});
}

void Ledger::NoteGraphMemory(DevicePointer start, bool present) {
  const auto entry = memory_.find(start);
  if (entry == memory_.end() || entry->second.is_absent != present) return;
  entry->second.is_absent = !present;
  NoteUse(entry->second, present);
}

Ledger::Leaks Ledger::TakeLeaks(std::size_t device, std::optional<ClientId> client) {
  Leaks leaks;
  for (auto& [start, memory] : memory_) {
    const Place& owner = memory.owner;
    const bool asked =
        owner.client != kJudge && owner.device == device && (!client || owner.client == *client);
    const bool is_nobodys = memory.kind == AllocationKind::kDescriptor || memory.is_absent;
    if (!asked || memory.module != 0 || memory.reported || is_nobodys) continue;
    memory.reported = true;
    leaks.device |= memory.kind == AllocationKind::kDevice && !memory.in_stream;
    leaks.in_stream |= memory.in_stream;
    leaks.managed |= memory.kind == AllocationKind::kManaged;
    leaks.pinned |= memory.kind == AllocationKind::kPinned;
    leaks.graph |= memory.kind == AllocationKind::kGraph;
    leaks.array |= memory.kind == AllocationKind::kArray;
    ++leaks.count;
    leaks.bytes += memory.bytes;
  }
  return leaks;
}

// --- Modules and kernels ---------------------------------------------------------------------------

CudaStatus Ledger::CheckRoomForModule(const Place& owner, std::uint64_t bytes) const {
  const Holding& holding = Of(owner);
  if (auto room = CheckRoom(say::its_modules, holding.modules.size(), limits_.modules); !room) return room;
  for (const auto& [module, size] : holding.modules) bytes += size;
  if (bytes <= limits_.all_module_bytes) return Unit{};
  return CudaFault{CudaError::kInvalidValue, say::modules_too_large()};
}

void Ledger::AddModule(const Place& owner, ModuleId module, std::uint64_t bytes) {
  holdings_[owner].modules.emplace(module, bytes);
}

bool Ledger::RemoveModule(const Place& owner, ModuleId module) {
  if (!HasModule(owner, module)) return false;
  Holding& holding = holdings_.at(owner);
  holding.modules.erase(module);
  std::erase_if(holding.kernels, [&](const auto& entry) { return entry.second.module == module; });
  std::erase_if(memory_, [&](const auto& entry) {
    const Memory& memory = entry.second;
    if (memory.module != module || memory.owner != owner) return false;
    if (IsShared(memory.kind)) --holding.managed_variables;
    return true;
  });
  return true;
}

bool Ledger::HasModule(const Place& owner, ModuleId module) const {
  return Of(owner).modules.contains(module);
}

CudaStatus Ledger::CheckRoomForKernel(const Place& owner) const {
  return CheckRoom(say::its_kernels, Of(owner).kernels.size(), limits_.kernels);
}

void Ledger::AddKernel(const Place& owner, KernelId id, Kernel kernel) {
  holdings_[owner].kernels.insert_or_assign(id, std::move(kernel));
}

const Ledger::Kernel* Ledger::FindKernel(const Place& owner, KernelId kernel) const {
  const auto& kernels = Of(owner).kernels;
  const auto found = kernels.find(kernel);
  return found == kernels.end() ? nullptr : &found->second;
}

// --- Streams and events ----------------------------------------------------------------------------

CudaStatus Ledger::CheckRoomForStream(const Place& owner) const {
  return CheckRoom(say::its_streams, Of(owner).streams.size(), limits_.streams);
}

void Ledger::AddStream(const Place& owner, StreamId stream, std::int32_t priority) {
  holdings_[owner].streams.emplace(stream, priority);
}

bool Ledger::RemoveStream(const Place& owner, StreamId stream) {
  const auto found = holdings_.find(owner);
  return found != holdings_.end() && found->second.streams.erase(stream) != 0;
}

bool Ledger::MayUseStream(const Place& client, StreamId stream) const {
  return stream == 0 || Of(client).streams.contains(stream);
}

std::int32_t Ledger::PriorityOf(const Place& owner, StreamId stream) const {
  const auto& streams = Of(owner).streams;
  const auto found = streams.find(stream);
  return found == streams.end() ? 0 : found->second;
}

CudaStatus Ledger::CheckRoomForEvent(const Place& owner) const {
  return CheckRoom(say::its_events, Of(owner).events.size(), limits_.events);
}

void Ledger::AddEvent(const Place& owner, EventId event) {
  holdings_[owner].events.insert(event);
}

bool Ledger::RemoveEvent(const Place& owner, EventId event) {
  const auto found = holdings_.find(owner);
  return found != holdings_.end() && found->second.events.erase(event) != 0;
}

bool Ledger::HasEvent(const Place& owner, EventId event) const {
  return Of(owner).events.contains(event);
}

Ledger::Memories Ledger::Forget(const Place& owner) {
  Memories allocations;
  for (Memories* book : {&memory_, &kept_, &freeing_}) {
    for (auto entry = book->begin(); entry != book->end();) {
      const auto each = entry++;
      if (each->second.owner != owner) continue;
      auto forgotten = book->extract(each);
      if (book != &kept_ && !forgotten.mapped().is_absent) NoteUse(forgotten.mapped(), false);
      if (forgotten.mapped().module == 0) allocations.insert(std::move(forgotten));
    }
  }
  holdings_.erase(owner);
  return allocations;
}

}  // namespace warplings
