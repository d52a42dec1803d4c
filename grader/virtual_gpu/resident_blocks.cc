// SPDX-License-Identifier: Apache-2.0
#include "grader/virtual_gpu/resident_blocks.h"

#include <algorithm>
#include <string>

#include "grader/messages/device.h"

namespace warplings::vgpu {
namespace {

/// About how much of this machine's memory a resident block takes: registers, shared and local memory, the
/// contexts of its warps, and what the checks record of shared and local memory.
std::uint64_t BlockMemory(const GridRequest& grid) {
  const Program& program = *grid.program;
  const std::uint64_t warps = (grid.block.Volume() + kWarpSize - 1) / kWarpSize;
  const std::uint64_t shared = std::uint64_t{program.shared_bytes} + grid.dynamic_shared_bytes;
  const std::uint64_t local = warps * kWarpSize * program.local_bytes;
  constexpr std::uint64_t kContextBytes = 1024;
  std::uint64_t bytes = shared + local + program.constants.size() + 2 * program.code.size() +
                        warps * (program.kernel.frame_bytes + program.special_bytes + kContextBytes);
  if (grid.observation.checks && grid.observation.access_checks) {
    // Two records of 8 bytes for each word, or each byte (SharedChecks); a byte for each word (LocalChecks).
    std::uint32_t granule = 4;
    for (const Inst& inst : program.code) {
      if (inst.shared_access_bytes != 0 && inst.shared_access_bytes < granule) granule = 1;
    }
    bytes += shared / granule * 16 + local / 4;
  }
  return bytes;
}

}  // namespace

CudaStatus LimitResidentBlocks(GridRequest& grid, unsigned host_threads) {
  const GlobalMemory& memory = *grid.memory;
  const std::uint64_t free = memory.limit_bytes() - std::min(memory.limit_bytes(), memory.used_bytes());
  const std::uint64_t each = std::max<std::uint64_t>(BlockMemory(grid), 1);
  const std::uint64_t room = free / each;
  const std::uint64_t together = grid.cooperative ? grid.grid.Volume() : 1;
  grid.host_threads = static_cast<std::size_t>(std::clamp<std::uint64_t>(room, 1, host_threads));
  grid.max_resident_blocks = std::max<std::uint64_t>(room, 1);
  if (together <= room) return Unit{};
  return CudaFault{CudaError::kLaunchOutOfResources,
                   say::blocks_need_memory(say::Count(together, "block"), each, free)};
}

}  // namespace warplings::vgpu
