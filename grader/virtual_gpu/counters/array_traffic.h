// SPDX-License-Identifier: Apache-2.0
// Part of engine_level.cc: the traffic of a grid with the arrays that the judge watches, and which thread
// stored each of their words.
#pragma once

#include <vector>

#include "grader/virtual_gpu/counters/memory_counters.h"
#include "grader/virtual_gpu/machine/lanes.h"
#include "grader/virtual_gpu/memory/watched_arrays.h"

namespace warplings::vgpu::WARPLINGS_LEVEL {

class ArrayTrafficCounter final : public Observer {
 public:
  ArrayTrafficCounter(WatchedArrays& arrays, const Program& program)
      : arrays_(arrays), places_(program.code.size()), traffic_(arrays.size()) {}
  ~ArrayTrafficCounter() override { arrays_.Add(traffic_, host_memory_); }

  Mask OnGlobal(const WarpAccess& access) override {
    Place& place = places_[access.inst->index];
    const u64 first = access.address[__builtin_ctz(access.mask)];
    if (first - place.start >= place.bytes) place = Look(access, first);
    if (LiesWithin(access, place)) {
      Count(access, place);
      return access.mask;
    }
    // The lanes access several arrays; count each array's lanes together.
    for (Mask left = access.mask; left;) {
      const Place there = Look(access, access.address[__builtin_ctz(left)]);
      WarpAccess part = access;
      part.pattern = nullptr;
      part.mask = left & BitOfEach([&](int i) { return access.address[i] - there.start < there.bytes; });
      left &= ~part.mask;
      Count(part, there);
    }
    return access.mask;
  }

 private:
  /// The region of an instruction's last access, cached because instructions mostly stay in one array.
  struct Place {
    u64 start = 0, bytes = 0;
    int array = WatchedArrays::kNone;
    bool is_host_memory = false;
  };

  /// The bounds check has passed, so there is a region.
  Place Look(const WarpAccess& access, u64 address) const {
    const Region* region = access.warp->block->grid->memory->Find(address);
    return {region->start, region->bytes, arrays_.Find(address), region->is_shared};
  }

  static bool LiesWithin(const WarpAccess& access, const Place& place) {
    const u64* address = access.address;
    return !(access.mask & BitOfEach([&](int i) { return address[i] - place.start >= place.bytes; }));
  }

  void Count(const WarpAccess& access, const Place& place) {
    const bool loads = access.access != Access::kWrite, stores = access.access != Access::kRead;
    if (place.is_host_memory) {
      host_memory_.is_read |= loads;
      host_memory_.is_written |= stores;
    }
    if (place.array == WatchedArrays::kNone) return;
    ArrayTraffic& traffic = traffic_[static_cast<std::size_t>(place.array)];
    const u64 bytes = u64{access.bytes} * static_cast<u64>(__builtin_popcount(access.mask));
    const u64 sectors = MemoryCounters::SectorsOf(access);
    if (loads) {
      traffic.load_bytes += bytes;
      traffic.load_sectors += sectors;
    }
    if (!stores) return;
    traffic.store_bytes += bytes;
    traffic.store_sectors += sectors;
    const BlockContext& block = *access.warp->block;
    const u64 first_thread = block.linear_index * block.threads + u64{access.warp->index} * kWarpSize;
    ForEachLane(access.mask, [&](int lane) {
      arrays_.NoteStore(place.array, access.address[lane], access.bytes,
                        first_thread + static_cast<u64>(lane));
    });
  }

  WatchedArrays& arrays_;
  std::vector<Place> places_;
  std::vector<ArrayTraffic> traffic_;
  HostMemoryUse host_memory_;
};

}  // namespace warplings::vgpu::WARPLINGS_LEVEL
