// SPDX-License-Identifier: Apache-2.0
// mistake: the reserved bytes are taken from the SM's shared memory once, not for each block. A100 (167936 bytes,
//   1024 reserved), 16384 bytes a block: a block takes 17408, 9 fit; the code says 166912 / 16384 = 10. Rounding the
//   registers of a thread up to register_unit / 32 is right: for a unit that is a multiple of 32 it gives the same.
// want: Ten blocks on an SM: how many times is the driver's portion taken, by the contract's words?
#include "occupancy.h"

#include <climits>
#include <initializer_list>

template <class T>
static T ceil_to(T v, T unit) {
  return (v + unit - 1) / unit * unit;
}

struct Block {
  SmLimits sm;
  KernelUse use;

  int warps() const { return ceil_to(use.threads_per_block, 32) / 32; }

  int by_threads() const {
    if (use.threads_per_block > sm.max_threads_per_block) return 0;
    return sm.max_threads / (32 * warps());
  }

  int by_registers() const {
    // A unit for a warp is unit / 32 for each of its threads.
    const int unit = sm.register_unit % 32 == 0 ? sm.register_unit / 32 : 1;
    const int per_warp = ceil_to(32 * ceil_to(use.registers, unit), sm.register_unit);
    const int in_partition = (sm.registers / 4) / per_warp;
    return in_partition * 4 / warps();
  }

  int by_shared() const {
    if (use.shared_bytes > sm.max_shared_bytes_per_block) return 0;
    const int available = sm.shared_bytes - sm.reserved_shared_bytes;  // without the driver's portion
    const int portion = ceil_to(use.shared_bytes, sm.shared_unit);
    return portion > 0 ? available / portion : INT_MAX;
  }
};

Occupancy occupancy(SmLimits sm, KernelUse use) {
  const Block b{sm, use};
  Occupancy o{INT_MAX, 0, 0};
  int bit = 1;
  for (int n : {b.by_threads(), b.by_registers(), b.by_shared(), sm.max_blocks}) {
    if (n < o.blocks) {
      o.blocks = n;
      o.limits = 0;  // those before allow more
    }
    if (n == o.blocks) o.limits += bit;
    bit *= 2;
  }
  o.occupancy = 1.0 * o.blocks * b.warps() / (sm.max_threads / 32);
  return o;
}
