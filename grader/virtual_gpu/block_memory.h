// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "grader/virtual_gpu/machine/context.h"

namespace warplings::vgpu {

/// About how much of this machine's memory a resident block takes: registers, shared and local memory, the
/// contexts of its warps, and what the checks record of shared and local memory.
inline std::uint64_t BlockMemory(const Program& program, const GridRequest& grid) {
  const std::uint64_t warps = (grid.block.Volume() + kWarpSize - 1) / kWarpSize;
  const std::uint64_t shared = std::uint64_t{program.shared_bytes} + grid.dynamic_shared_bytes;
  const std::uint64_t local = warps * kWarpSize * program.local_bytes;
  constexpr std::uint64_t kContextBytes = 1024;
  std::uint64_t bytes = shared + local + program.constants.size() + 2 * program.code.size() +
                        warps * (program.kernel.frame_bytes + program.special_bytes + kContextBytes);
  if (grid.observation.checks) {
    // Two records of 8 bytes for each word, or each byte (SharedChecks); a byte for each word (LocalChecks).
    std::uint32_t granule = 4;
    for (const Inst& inst : program.code) {
      if (inst.shared_access_bytes != 0 && inst.shared_access_bytes < granule) granule = 1;
    }
    bytes += shared / granule * 16 + local / 4;
  }
  return bytes;
}

}  // namespace warplings::vgpu
