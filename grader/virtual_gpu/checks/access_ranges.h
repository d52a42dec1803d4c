// SPDX-License-Identifier: Apache-2.0
// Part of engine_level.cc: which bytes of global memory a grid accesses, for the races between streams.
#pragma once

#include <algorithm>
#include <vector>

#include "grader/virtual_gpu/checks/strong_accesses.h"
#include "grader/virtual_gpu/machine/lanes.h"
#include "grader/virtual_gpu/memory/access_map.h"

namespace warplings::vgpu::WARPLINGS_LEVEL {

class AccessRanges final : public Observer {
 public:
  AccessRanges(AccessMap& map, const Program& program) : map_(map), program_(program) {
    places_.resize(program.code.size());
  }
  ~AccessRanges() override {
    for (std::size_t i = 0; i < places_.size(); ++i) AddLine(places_[i], program_.code[i]);
  }

  Mask OnGlobal(const WarpAccess& access) override {
    // A load whose value nobody uses is none.
    Mask left = access.mask & ~access.unused;
    while (left) {
      Place& place = places_[access.inst->index];
      const u64 first = access.address[__builtin_ctz(left)];
      if (first - place.start >= place.bytes) Look(access, place, first);
      const Mask here =
          left & BitOfEach([&](int i) { return access.address[i] - place.start < place.bytes; });
      if (place.array) Mark(access, place, here);
      left &= ~here;
    }
    return access.mask;
  }
  Mask OnConstant(const WarpAccess& access) override { return OnGlobal(access); }

 private:
  /// The region of an instruction's last access: instructions mostly stay in one array.
  struct Place {
    u64 start = 0, bytes = 0;
    AccessMap::Array* array = nullptr;
    u64 least = ~u64{0}, end = 0;
  };

  void AddLine(const Place& place, const Inst& inst) const {
    if (place.array)
      map_.AddLine(*place.array, program_.Where(inst), inst.access != Access::kRead,
                   {place.least, place.end});
  }

  /// The bounds check has passed, so there is a region.
  void Look(const WarpAccess& access, Place& place, u64 address) const {
    AddLine(place, *access.inst);
    const Region* region = access.warp->block->grid->memory->Find(address);
    place = {region->start, region->bytes, map_.Find(*region), ~u64{0}, 0};
  }

  void Mark(const WarpAccess& access, Place& place, Mask lanes) const {
    const bool is_strong = IsStrong(access), reads = access.access == Access::kRead;
    const auto kind = reads ? (is_strong ? AccessMap::kStronglyRead : AccessMap::kRead)
                            : (is_strong ? AccessMap::kStronglyWritten : AccessMap::kWritten);
    MarkLanes(access, place, lanes, kind);
    if (access.inst->is_compare_and_swap) place.array->NoteSwap();
    if (reads || is_strong || !map_.notes_changes()) return;
    Mask changes = 0;
    ForEachLane(lanes, [&](int lane) {
      if (!access.SameAsMemory(lane)) changes |= Mask{1} << lane;
    });
    MarkLanes(access, place, changes, AccessMap::kChanged);
  }

  /// Lanes in the same 64 bytes are marked together. An aligned access lies in one such piece.
  static void MarkLanes(const WarpAccess& access, Place& place, Mask lanes, AccessMap::Kind kind) {
    const u64 own = (u64{1} << access.bytes) - 1;
    u64 index = 0, bits = 0, least = place.least, last = 0;
    ForEachLane(lanes, [&](int lane) {
      const u64 address = access.address[lane], at = address - place.start;
      if (at / 64 != index) {
        if (bits) place.array->MarkWord(kind, index, bits);
        index = at / 64;
        bits = 0;
      }
      bits |= own << (at % 64);
      least = std::min(least, address);
      last = std::max(last, address);
    });
    if (!bits) return;
    place.array->MarkWord(kind, index, bits);
    place.least = least;
    place.end = std::max(place.end, last + access.bytes);
  }

  AccessMap& map_;
  const Program& program_;
  std::vector<Place> places_;
};

}  // namespace warplings::vgpu::WARPLINGS_LEVEL
