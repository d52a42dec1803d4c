// SPDX-License-Identifier: Apache-2.0
#include "grader/virtual_gpu/memory/partly_stored.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace warplings::vgpu {
namespace {

/// A look at pages that nobody has touched takes memory for them.
constexpr std::uint64_t kLongestRest = std::uint64_t{64} << 20;

bool IsOfHost(const Region* region) {
  return region != nullptr && region->is_shared && !region->is_variable && !region->is_foreign;
}

bool IsZero(DevicePointer start, std::uint64_t bytes) {
  const std::byte* const first = HostPointer(start);
  return std::all_of(first, first + bytes, [](std::byte each) { return each == std::byte{0}; });
}

}  // namespace

std::vector<PartlyStored::Touched> PartlyStored::Of(const GlobalMemory& memory,
                                                    const std::vector<AccessMap::TouchedArray>& arrays) {
  std::vector<Touched> found;
  for (const AccessMap::TouchedArray& each : arrays) {
    if (!IsOfHost(memory.Find(each.start))) continue;
    Touched touched{.start = each.start};
    if (!each.written.empty()) {
      touched.stored_begin = each.written.front().begin - each.start;
      touched.stored_end = each.written.back().end - each.start;
    }
    if (!each.read.empty()) touched.read_end = each.read.back().end - each.start;
    touched.has_gaps = each.written.size() > 1 || !each.is_known;
    found.push_back(touched);
  }
  return found;
}

void PartlyStored::Note(const GlobalMemory& memory, const std::optional<std::vector<Touched>>& touched,
                        const std::string& kernel, const std::function<Message(const Region&)>& name) {
  if (!touched) GiveUp();
  if (gave_up_) return;
  for (const Touched& each : *touched) {
    const Region* region = memory.Find(each.start);
    if (region == nullptr || region->start != each.start) continue;
    auto& [part, is_unclear] = arrays_[each.start];
    part.bytes = region->bytes;
    is_unclear =
        is_unclear || each.has_gaps || each.stored_begin > part.stored || each.read_end > part.stored;
    if (is_unclear || each.stored_end <= part.stored) continue;
    part.stored = each.stored_end;
    part.kernel = kernel;
    part.array = name(*region);
  }
}

void PartlyStored::Forget(const GlobalMemory& memory, DevicePointer address) {
  const Region* region = memory.Find(address);
  if (IsOfHost(region)) arrays_[region->start].is_unclear = true;
}

void PartlyStored::GiveUp() {
  gave_up_ = true;
  arrays_.clear();
}

std::optional<PartlyStored::Part> PartlyStored::Take(const GlobalMemory& memory, DevicePointer start) {
  auto found = arrays_.extract(start);
  const Region* region = memory.Find(start);
  if (found.empty() || !IsOfHost(region) || region->start != start) return std::nullopt;
  auto& [part, is_unclear] = found.mapped();
  const std::uint64_t rest = part.bytes - part.stored;
  if (is_unclear || part.stored == 0 || rest == 0 || rest > kLongestRest) return std::nullopt;
  if (!IsZero(start + part.stored, rest)) return std::nullopt;
  return std::move(part);
}

}  // namespace warplings::vgpu
