// SPDX-License-Identifier: Apache-2.0
#include "grader/virtual_gpu/memory/watched_arrays.h"

#include <algorithm>
#include <utility>

namespace warplings::vgpu {

void WatchedArrays::Start(const GlobalMemory& memory) {
  Stop();
  active_ = true;
  memory_ = &memory;
  memory.ForEachRegion([&](const Region& region) {
    // The judge alone labels allocations.
    if (region.label.empty() || region.is_variable || region.is_on_heap || region.is_foreign) return;
    arrays_.push_back({region.start, region.bytes, region.label, {}});
    arrays_.back().writers.assign((region.bytes + 3) / 4, kByNobody);
  });
}

void WatchedArrays::Stop() {
  active_ = false;
  arrays_.clear();
  launches_.clear();
  host_has_read_ = has_copied_ = kernel_wrote_shared_ = false;
}

int WatchedArrays::Find(DevicePointer address) const {
  const auto found =
      std::ranges::find_if(arrays_, [&](const Array& array) { return address - array.start < array.bytes; });
  return found == arrays_.end() ? kNone : static_cast<int>(found - arrays_.begin());
}

void WatchedArrays::NoteWrite(DevicePointer target, std::uint64_t bytes, std::uint64_t who, bool is_of_host) {
  const int found = Find(target);
  if (found == kNone || bytes == 0) return;
  Array& array = arrays_[static_cast<std::size_t>(found)];
  const std::uint64_t first = (target - array.start) / 4, last = (target - array.start + bytes - 1) / 4;
  for (std::uint64_t word = first; word <= last && word < array.writers.size(); ++word) {
    std::uint64_t& writer = array.writers[word];
    const bool is_work_again = is_of_host && (writer >> kThreadBits) >= kFirstLaunch;
    writer = (is_work_again ? kByCopyOfHostWork : who) << kThreadBits;
  }
}

void WatchedArrays::NoteCopyIn(DevicePointer target, std::uint64_t bytes) {
  NoteWrite(target, bytes, WhoCopies(), true);
}

void WatchedArrays::NoteCopyWithin(DevicePointer target, std::uint64_t bytes) {
  if (!active_) return;
  has_copied_ = true;
  const Region* region = memory_->Find(target);
  if (region && region->is_shared) host_has_read_ = true;
  NoteWrite(target, bytes, WhoCopies());
}

void WatchedArrays::BeginLaunch() {
  // Launches beyond those that have a number share the last one: what was so for any of them holds for all.
  const std::uint64_t number = std::min<std::uint64_t>(kFirstLaunch + launches_.size(), kLastLaunch);
  const Launch launch{host_has_read_, kernel_wrote_shared_, has_copied_, false};
  if (number - kFirstLaunch == launches_.size()) {
    launches_.push_back(launch);
  } else {
    launches_.back().after_host_read |= launch.after_host_read;
    launches_.back().after_shared_write |= launch.after_shared_write;
    launches_.back().after_copy |= launch.after_copy;
  }
  writer_ = number << kThreadBits;
  traffic_.assign(arrays_.size(), {});
  host_memory_ = {};
}

void WatchedArrays::Add(const std::vector<ArrayTraffic>& traffic, HostMemoryUse host_memory) {
  const std::lock_guard lock(mutex_);
  for (std::size_t i = 0; i < traffic.size(); ++i) {
    traffic_[i].load_bytes += traffic[i].load_bytes;
    traffic_[i].load_sectors += traffic[i].load_sectors;
    traffic_[i].store_bytes += traffic[i].store_bytes;
    traffic_[i].store_sectors += traffic[i].store_sectors;
  }
  host_memory_.is_read |= host_memory.is_read;
  host_memory_.is_written |= host_memory.is_written;
}

std::vector<ArrayTraffic> WatchedArrays::EndLaunch() {
  kernel_wrote_shared_ |= host_memory_.is_written;
  launches_.back().in_exchange_with_host |= host_memory_.is_written && host_memory_.is_read;
  std::vector<ArrayTraffic> touched;
  for (std::size_t i = 0; i < traffic_.size(); ++i) {
    if (traffic_[i].load_bytes == 0 && traffic_[i].store_bytes == 0) continue;
    traffic_[i].label = arrays_[i].label;
    touched.push_back(std::move(traffic_[i]));
  }
  return touched;
}

ArrayWriters WatchedArrays::CountWriters(const Array& array) const {
  ArrayWriters count;
  count.label = array.label;
  count.words = array.writers.size();
  std::vector<std::uint64_t> kernels;
  kernels.reserve(array.writers.size());
  for (const std::uint64_t writer : array.writers) {
    switch (writer >> kThreadBits) {
      case kByNobody: ++count.by_nobody; break;
      case kByCopy: ++count.by_copy; break;
      case kByFill: ++count.by_fill; break;
      case kByCopyOfHostWork:
        ++count.by_copy;
        ++count.after_host_read;
        break;
      default: {
        const Launch& launch = launches_[(writer >> kThreadBits) - kFirstLaunch];
        ++count.by_kernel;
        count.after_host_read += launch.after_host_read || launch.after_shared_write;
        count.after_shared_write += launch.after_shared_write && !launch.after_host_read;
        count.in_exchange_with_host += launch.in_exchange_with_host;
        count.after_copy += launch.after_copy;
        kernels.push_back(writer);
      }
    }
  }
  const auto add = [&](std::uint64_t elements) {
    if (elements == 0) return;
    ++count.threads;
    count.most_by_a_thread = std::max(count.most_by_a_thread, elements);
  };
  if (kernels.empty()) return count;
  // The threads of one launch are numbered without large gaps: counting them takes less time than a sort.
  constexpr std::uint64_t kNumbersPerElement = 4;
  const auto [least, most] = std::ranges::minmax(kernels);
  if (most - least < kNumbersPerElement * kernels.size()) {
    std::vector<std::uint32_t> elements(most - least + 1);
    for (const std::uint64_t writer : kernels) ++elements[writer - least];
    for (const std::uint32_t each : elements) add(each);
    return count;
  }
  std::ranges::sort(kernels);
  for (auto at = kernels.begin(); at != kernels.end();) {
    const auto end = std::upper_bound(at, kernels.end(), *at);
    add(static_cast<std::uint64_t>(end - at));
    at = end;
  }
  return count;
}

std::vector<ArrayWriters> WatchedArrays::ListWriters() const {
  std::vector<ArrayWriters> all;
  for (const Array& array : arrays_) all.push_back(CountWriters(array));
  return all;
}

}  // namespace warplings::vgpu
