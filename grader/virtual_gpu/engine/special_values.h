// SPDX-License-Identifier: Apache-2.0
// Part of engine_level.cc: the values of special registers ("%tid.x").
#pragma once

#include "grader/virtual_gpu/machine/lanes.h"

namespace warplings::vgpu::WARPLINGS_LEVEL {

/// The values that a warp's lanes read from one special register; they do not change while the block runs.
inline void FillSpecial(const WarpContext& warp, const Program::SpecialSlot& slot) {
  const BlockContext& running = *warp.block;
  const GridRequest& request = *running.grid;
  u32* lanes = reinterpret_cast<u32*>(warp.base[2] + slot.offset);
  const Dim3& block = request.block;
  const Dim3& grid = request.grid;
  for (u32 i = 0; i < kWarpSize; ++i) {
    const u32 t = warp.index * kWarpSize + i;
    switch (slot.special) {
      case Special::kTidX: lanes[i] = t % block.x; break;
      case Special::kTidY: lanes[i] = t / block.x % block.y; break;
      case Special::kTidZ: lanes[i] = t / block.x / block.y; break;
      case Special::kNtidX: lanes[i] = block.x; break;
      case Special::kNtidY: lanes[i] = block.y; break;
      case Special::kNtidZ: lanes[i] = block.z; break;
      case Special::kCtaidX: lanes[i] = running.index.x; break;
      case Special::kCtaidY: lanes[i] = running.index.y; break;
      case Special::kCtaidZ: lanes[i] = running.index.z; break;
      case Special::kNctaidX: lanes[i] = grid.x; break;
      case Special::kNctaidY: lanes[i] = grid.y; break;
      case Special::kNctaidZ: lanes[i] = grid.z; break;
      case Special::kLaneId: lanes[i] = i; break;
      case Special::kWarpId: lanes[i] = warp.index; break;
      case Special::kNwarpId: lanes[i] = u32(running.warps.size()); break;
      case Special::kSmId:
        lanes[i] = u32(running.linear_index % u32(request.profile->multiprocessors));
        break;
      case Special::kNsmId: lanes[i] = u32(request.profile->multiprocessors); break;
      case Special::kGridId: lanes[i] = 0; break;
      case Special::kLaneMaskEq: lanes[i] = 1u << i; break;
      case Special::kLaneMaskLt: lanes[i] = (1u << i) - 1; break;
      case Special::kLaneMaskLe: lanes[i] = (2u << i) - 1; break;
      case Special::kLaneMaskGt: lanes[i] = ~((2u << i) - 1); break;
      case Special::kLaneMaskGe: lanes[i] = ~((1u << i) - 1); break;
      case Special::kDynamicSharedBytes: lanes[i] = request.dynamic_shared_bytes; break;
      case Special::kTotalSharedBytes:
        lanes[i] = request.program->static_shared_bytes + request.dynamic_shared_bytes;
        break;
      case Special::kEnvReg1: lanes[i] = u32(request.workspace >> 32); break;
      case Special::kEnvReg2: lanes[i] = u32(request.workspace); break;
      case Special::kOne: lanes[i] = 1; break;
      case Special::kZero: lanes[i] = 0; break;
    }
  }
}

}  // namespace warplings::vgpu::WARPLINGS_LEVEL
