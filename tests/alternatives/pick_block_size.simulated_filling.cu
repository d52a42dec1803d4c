// SPDX-License-Identifier: Apache-2.0
// differs: fills an SM block by block in a little simulation for each size, counting what is left; recursion over the
// sizes on the host.

#include "pick_block_size.h"

struct Machine {
  int warps_left, places_left, partition_left[4], bytes_left;
};

static bool put_block(Machine& machine, int warps, int warp_registers, int bytes) {
  if (machine.places_left == 0 || machine.warps_left < warps || machine.bytes_left < bytes) return false;
  --machine.places_left;
  machine.warps_left -= warps;
  machine.bytes_left -= bytes;
  for (int w = 0, p = 0; w < warps; ++w) {
    while (p < 4 && machine.partition_left[p] < warp_registers) ++p;
    if (p == 4) return false;
    machine.partition_left[p] -= warp_registers;
  }
  return true;
}

static int up(int value, int unit) { return value % unit == 0 ? value : up(value + 1, unit); }

static int resident(const SmLimits& sm, int threads, int registers, int bytes) {
  if (threads > sm.max_threads_per_block || bytes > sm.max_shared_bytes_per_block) return 0;
  const int quarter = sm.registers / 4;
  Machine machine = {sm.max_threads / 32, sm.max_blocks, {quarter, quarter, quarter, quarter}, sm.shared_bytes};
  const int warp_registers = up(registers * 32, sm.register_unit);
  const int taken = up(bytes + sm.reserved_shared_bytes, sm.shared_unit);
  int warps = 0;
  while (put_block(machine, threads / 32, warp_registers, taken)) warps += threads / 32;
  return warps;
}

// The best of the sizes from `threads` on; its warps go to *warps.
static int best_from(const SmLimits& sm, int threads, int registers, int fixed, int each, int* warps) {
  *warps = 0;
  if (threads > sm.max_threads_per_block) return 0;
  int of_larger = 0;
  const int larger = best_from(sm, threads + 32, registers, fixed, each, &of_larger);
  const int mine = resident(sm, threads, registers, fixed + threads * each);
  *warps = mine > of_larger ? mine : of_larger;
  return mine > of_larger ? threads : larger;
}

int pick_block_size(SmLimits sm, int registers, int shared_bytes, int shared_bytes_per_thread) {
  int warps;
  return best_from(sm, 32, registers, shared_bytes, shared_bytes_per_thread, &warps);
}
