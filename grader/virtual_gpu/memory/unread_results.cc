// SPDX-License-Identifier: Apache-2.0
#include "grader/virtual_gpu/memory/unread_results.h"

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
                         const std::string& kernel) {
  if (!touched) GiveUp();
  if (gave_up_) return;
  for (const DevicePointer start : touched->read) kernels_.erase(start);
  for (const DevicePointer start : touched->written) {
    const Region* region = memory.Find(start);
    const bool is_of_program = region != nullptr && region->start == start && !region->is_variable &&
                               !region->is_shared && !region->is_foreign && !region->is_on_heap;
    if (is_of_program) kernels_[start] = kernel;
  }
}

void UnreadResults::Forget(const GlobalMemory& memory, DevicePointer address) {
  if (kernels_.empty()) return;
  if (const Region* region = memory.Find(address)) kernels_.erase(region->start);
}

void UnreadResults::GiveUp() {
  gave_up_ = true;
  kernels_.clear();
}

std::string UnreadResults::Take(DevicePointer start) {
  auto found = kernels_.extract(start);
  return found.empty() ? "" : std::move(found.mapped());
}

}  // namespace warplings::vgpu
