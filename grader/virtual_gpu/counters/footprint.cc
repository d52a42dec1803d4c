// SPDX-License-Identifier: Apache-2.0
#include "grader/virtual_gpu/counters/footprint.h"

namespace warplings::vgpu {

void FootprintSum::Add(const Footprint& part) {
  const std::lock_guard lock(mutex_);
  sum_.load_lines += part.load_lines;
  sum_.store_lines += part.store_lines;
  for (const auto& [start, region] : part.regions) {
    Footprint::Region& known = sum_.regions[start];
    known.bytes = region.bytes;
    known.read_sectors += region.read_sectors;
    known.read_pieces += region.read_pieces;
    known.written_pieces += region.written_pieces;
    known.atomic_pieces += region.atomic_pieces;
  }
}

}  // namespace warplings::vgpu
