// SPDX-License-Identifier: Apache-2.0
#include "grader/virtual_gpu/memory/unread_results.h"

#include <algorithm>
#include <utility>

namespace warplings::vgpu {

std::optional<UnreadResults::Touched> UnreadResults::Of(
    const std::optional<std::vector<AccessMap::TouchedArray>>& arrays) {
  if (!arrays) return std::nullopt;
  Touched touched;
  for (const AccessMap::TouchedArray& each : *arrays) {
    if (!each.read.empty()) touched.read.push_back(each.start);
    if (!each.written.empty() && each.is_known) touched.written.push_back(each.start);
  }
  return touched;
}

void UnreadResults::Note(const GlobalMemory& memory, const std::optional<Touched>& touched,
                         const std::string& kernel, const std::function<Message(const Region&)>& object_of) {
  if (!touched) GiveUp();
  if (gave_up_) return;
  for (const DevicePointer start : touched->read) unread_.erase(start);
  bool is_seen_by_host = false;
  for (const DevicePointer start : touched->written) {
    const Region* region = memory.Find(start);
    if (region == nullptr) continue;
    is_seen_by_host |= region->is_shared;
    results_.insert(region->start);
    const bool is_of_program = region->start == start && !region->is_variable && !region->is_shared &&
                               !region->is_foreign && !region->is_on_heap;
    const bool is_scratch = touched->written.size() > 1 && std::ranges::count(touched->read, start) > 0;
    if (is_of_program && is_scratch) unread_.erase(start);
    if (is_of_program && !is_scratch)
      unread_[start] = {.kernel = kernel, .object = object_of ? object_of(*region) : Message()};
  }
  if (is_seen_by_host) NoteOtherResult(nullptr);
}

void UnreadResults::NoteOtherResult(const Region* result) {
  for (auto& [start, unread] : unread_)
    unread.has_other_result |= result == nullptr || start != result->start;
}

bool UnreadResults::Read(const GlobalMemory& memory, DevicePointer address, std::uint64_t bytes) {
  const Region* region = memory.Find(address);
  if (region == nullptr) return false;
  const bool is_result = gave_up_ || results_.contains(region->start);
  if (is_result) NoteOtherResult(region);
  ReadUnread(*region, address, bytes);
  return is_result;
}

void UnreadResults::ReadUnread(const Region& in, DevicePointer address, std::uint64_t bytes) {
  const Region* const region = &in;
  const auto known = unread_.find(region->start);
  if (known == unread_.end()) return;
  const std::uint64_t offset = address - region->start;
  const bool goes_on = known->second.overwritten == 0 && offset == known->second.copied;
  known->second.copied = offset + bytes;
  if (!goes_on || known->second.copied >= region->bytes) unread_.erase(known);
}

void UnreadResults::Forget(const GlobalMemory& memory, DevicePointer address) {
  if (unread_.empty()) return;
  if (const Region* region = memory.Find(address)) unread_.erase(region->start);
}

void UnreadResults::Overwrite(const GlobalMemory& memory, DevicePointer address, std::uint64_t bytes) {
  if (unread_.empty()) return;
  const Region* region = memory.Find(address);
  const auto known = region == nullptr ? unread_.end() : unread_.find(region->start);
  if (known == unread_.end()) return;
  const std::uint64_t offset = address - region->start;
  if (offset <= known->second.overwritten)
    known->second.overwritten = std::max(known->second.overwritten, offset + bytes);
}

void UnreadResults::NoteResult(const GlobalMemory& memory, DevicePointer address) {
  if (const Region* region = memory.Find(address)) results_.insert(region->start);
}

void UnreadResults::Release(DevicePointer start) {
  results_.erase(start);
}

void UnreadResults::GiveUp() {
  gave_up_ = true;
  unread_.clear();
}

std::optional<UnreadResults::Unread> UnreadResults::Take(DevicePointer start) {
  auto found = unread_.extract(start);
  if (found.empty()) return std::nullopt;
  return std::move(found.mapped());
}

}  // namespace warplings::vgpu
