// SPDX-License-Identifier: Apache-2.0
// mistake: puts a whole block into one partition of the registers (partition / (warps x registers of a warp), times 4);
//   only a warp's registers must lie in one partition, a block's warps may be spread over all four.
// want: What has to lie in one partition, a warp or a block? 256 threads with 40 registers: how many warps fit into one
//   partition, how many into all four, and how many blocks of 8 warps are those?
#include <algorithm>
#include <climits>

#include "occupancy.h"

namespace {

const int kWarp = 32;
const int kPartitions = 4;

int ceil_div(int a, int b) { return (a + b - 1) / b; }

int fit_threads(const SmLimits& sm, const KernelUse& use) {
  if (use.threads_per_block > sm.max_threads_per_block) return 0;
  return (sm.max_threads / kWarp) / ceil_div(use.threads_per_block, kWarp);
}

int fit_registers(const SmLimits& sm, const KernelUse& use) {
  const int warp_regs = ceil_div(use.registers * kWarp, sm.register_unit) * sm.register_unit;
  const int block_regs = warp_regs * ceil_div(use.threads_per_block, kWarp);
  // each partition has its own registers, there are four of them
  const int partition = sm.registers / kPartitions;
  return partition / block_regs * kPartitions;
}

int fit_shared(const SmLimits& sm, const KernelUse& use) {
  if (use.shared_bytes > sm.max_shared_bytes_per_block) return 0;
  const int bytes = ceil_div(use.shared_bytes + sm.reserved_shared_bytes, sm.shared_unit) * sm.shared_unit;
  return bytes == 0 ? INT_MAX : sm.shared_bytes / bytes;
}

}  // namespace

Occupancy occupancy(SmLimits sm, KernelUse use) {
  const int t = fit_threads(sm, use);
  const int r = fit_registers(sm, use);
  const int s = fit_shared(sm, use);
  const int least = std::min(std::min(t, r), std::min(s, sm.max_blocks));

  Occupancy out = {least, 0.0, 0};
  if (t == least) out.limits |= kLimitThreads;
  if (r == least) out.limits |= kLimitRegisters;
  if (s == least) out.limits |= kLimitSharedMemory;
  if (sm.max_blocks == least) out.limits |= kLimitBlocks;

  const int warps = least * ceil_div(use.threads_per_block, kWarp);
  out.occupancy = double(warps) / (sm.max_threads / kWarp);
  return out;
}
