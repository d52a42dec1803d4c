// SPDX-License-Identifier: Apache-2.0
// differs: an extra answer in the style of C: calloc, free, memcpy, qsort, labs and strings: sizes are sorted by
// "warps threads" written with snprintf.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pick_block_size.h"

struct Entry {
  char key[32];
};

static int compare(const void* a, const void* b) {
  return strcmp(((const Entry*)b)->key, ((const Entry*)a)->key);  // the greatest first
}

static long up(long value, long unit) { return (value + unit - 1) / unit * unit; }

static long warps_resident(const SmLimits* sm, int threads, int registers, long bytes) {
  long blocks = sm->max_blocks, other;
  if (bytes > sm->max_shared_bytes_per_block) return 0;
  if ((other = sm->max_threads / threads) < blocks) blocks = other;
  if ((other = sm->registers / 4 / up(registers * 32L, sm->register_unit) * 4 / (threads / 32)) < blocks) blocks = other;
  const long taken = up(bytes + sm->reserved_shared_bytes, sm->shared_unit);
  if (taken && (other = sm->shared_bytes / taken) < blocks) blocks = other;
  return blocks * (threads / 32);
}

int pick_block_size(SmLimits sm, int registers, int shared_bytes, int shared_bytes_per_thread) {
  const int sizes = sm.max_threads_per_block / 32;
  Entry* const entries = (Entry*)calloc(sizes + 1, sizeof(Entry));
  for (int s = 1; s <= sizes; ++s) {
    const long warps = warps_resident(&sm, 32 * s, registers, shared_bytes + 32L * s * shared_bytes_per_thread);
    Entry entry;
    snprintf(entry.key, sizeof entry.key, "%012ld %08d", labs(warps), warps ? 32 * s : 0);
    memcpy(&entries[s - 1], &entry, sizeof entry);
  }
  qsort(entries, sizes, sizeof(Entry), compare);
  const int answer = sizes ? (int)strtol(entries[0].key + 13, NULL, 10) : 0;
  free(entries);
  return answer;
}
