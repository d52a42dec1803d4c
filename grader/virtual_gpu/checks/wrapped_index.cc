// SPDX-License-Identifier: Apache-2.0
#include "grader/virtual_gpu/checks/wrapped_index.h"

#include <algorithm>
#include <cstring>
#include <vector>

namespace warplings::vgpu {
namespace {

/// How far below its array an index may have meant to go.
constexpr std::int64_t kFarthestBelow = std::int64_t{16} << 20;

/// Where the arguments that are pointers to memory of the device lead.
std::vector<const Region*> RegionsOfArguments(const GridRequest& grid) {
  std::vector<const Region*> regions;
  for (std::size_t i = 0; grid.program != nullptr && i < grid.program->parameters.size(); ++i) {
    const auto& parameter = grid.program->parameters[i];
    std::uint64_t value = 0;
    if (parameter.bytes != sizeof value || parameter.offset + sizeof value > grid.arguments.size()) continue;
    std::memcpy(&value, grid.arguments.data() + parameter.offset, sizeof value);
    if (const Region* region = grid.memory->Find(value)) regions.push_back(region);
  }
  return regions;
}

}  // namespace

std::optional<WrappedIndex> FindWrappedIndex(std::uint64_t address, std::uint32_t bytes,
                                             const GridRequest& grid) {
  constexpr std::uint32_t kLargestElement = 16;
  const std::vector<const Region*> regions = RegionsOfArguments(grid);
  for (std::uint64_t size = std::max(bytes, 1u); size <= std::max(bytes, kLargestElement); size *= 2) {
    const std::uint64_t meant = address - (size << 32);
    // A variable is no argument.
    std::vector<const Region*> candidates = regions;
    if (const Region* nearest = grid.memory->FindNearest(meant)) candidates.push_back(nearest);
    std::optional<WrappedIndex> closest;
    for (const Region* region : candidates) {
      const auto offset = static_cast<std::int64_t>(meant - region->start);
      if (offset < -kFarthestBelow || offset >= static_cast<std::int64_t>(region->bytes)) continue;
      if (offset >= 0) return WrappedIndex{};
      const auto element = static_cast<std::int64_t>(size);
      const std::int64_t index = -((element - 1 - offset) / element);
      if (!closest || index > closest->meant) closest = WrappedIndex{region, index};
    }
    if (closest) return closest;
  }
  return std::nullopt;
}

}  // namespace warplings::vgpu
