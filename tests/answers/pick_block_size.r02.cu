// SPDX-License-Identifier: Apache-2.0
// mistake: the record starts with 0 warps and a size with 0 warps is "as good", so that sizes which cannot be launched
//   are taken. Where none can be, the largest comes out instead of 0: an A100 with shared_bytes 200000, which is more
//   than max_shared_bytes_per_block, gives 1024. As soon as one size can be launched all is right.
// want: Which size do you return for a kernel that asks for more shared memory than any block may have? Follow the
//   comparison for the first size.
#include "pick_block_size.h"

int blocks_per_sm(SmLimits sm, int threads, int registers, int shared_bytes) {
  const auto up = [](int v, int u) { return v % u == 0 ? v : v + u - v % u; };
  const auto lower = [](int& a, int b) {
    if (b < a) a = b;
  };

  int blocks = sm.max_blocks;
  if (threads > sm.max_threads_per_block) return 0;
  if (shared_bytes > sm.max_shared_bytes_per_block) return 0;

  const int warps = (threads + 31) / 32;
  lower(blocks, sm.max_threads / 32 / warps);

  const int a_warp = up(registers * 32, sm.register_unit);
  lower(blocks, sm.registers / 4 / a_warp * 4 / warps);

  const int a_block = up(shared_bytes + sm.reserved_shared_bytes, sm.shared_unit);
  if (a_block > 0) lower(blocks, sm.shared_bytes / a_block);
  return blocks;
}

int pick_block_size(SmLimits sm, int registers, int shared_bytes, int shared_bytes_per_thread) {
  struct {
    int threads = 0;
    int warps = 0;
  } record;

  for (int warps = 1; warps * 32 <= sm.max_threads_per_block; ++warps) {
    const int threads = warps * 32;
    const int resident =
        warps * blocks_per_sm(sm, threads, registers, shared_bytes + threads * shared_bytes_per_thread);
    // >= because the larger block wins
    if (resident >= record.warps) {
      record.threads = threads;
      record.warps = resident;
    }
  }
  return record.threads;
}
