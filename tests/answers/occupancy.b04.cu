// SPDX-License-Identifier: Apache-2.0
// mistake: (1) a kernel that asks for no shared memory is taken as not limited by it, although each block takes
//   the reserved bytes. (2) the bits are found in an else-if chain, so that of several resources that are reached
//   together only the first is named.
// want: 32 registers, 256 threads on an SM with 65,536 registers and 2048 threads: which resources are used up
//   at the same time? Test each bit by itself. After that: what does a block with shared_bytes 0 still take?
#include <climits>

#include "occupancy.h"

template <typename T>
static T least(T a, T b) {
  return b < a ? b : a;
}

template <typename T, typename... Rest>
static T least(T a, T b, Rest... rest) {
  return least(least(a, b), rest...);
}

static int round_up(int value, int unit) {
  return (value + unit - 1) / unit * unit;
}

static int shared_blocks(SmLimits sm, int asked) {
  if (asked == 0) return INT_MAX;
  if (asked > sm.max_shared_bytes_per_block) return 0;
  return sm.shared_bytes / round_up(asked + sm.reserved_shared_bytes, sm.shared_unit);
}

Occupancy occupancy(SmLimits sm, KernelUse use) {
  const int warps = (use.threads_per_block + 31) / 32;
  const int by_threads =
      use.threads_per_block <= sm.max_threads_per_block ? sm.max_threads / 32 / warps : 0;
  const int by_registers =
      4 * (sm.registers / 4 / round_up(32 * use.registers, sm.register_unit)) / warps;
  const int by_shared_memory = shared_blocks(sm, use.shared_bytes);

  const int blocks = least(by_threads, by_registers, by_shared_memory, sm.max_blocks);
  int limits = 0;
  if (blocks == by_threads) {
    limits = kLimitThreads;
  } else if (blocks == by_registers) {
    limits = kLimitRegisters;
  } else if (blocks == by_shared_memory) {
    limits = kLimitSharedMemory;
  } else {
    limits = kLimitBlocks;
  }
  return {blocks, blocks * warps / (sm.max_threads / 32.0), limits};
}
