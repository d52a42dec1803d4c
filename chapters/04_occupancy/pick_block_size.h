// SPDX-License-Identifier: Apache-2.0
#pragma once

// Which block size fills a streaming multiprocessor (SM) best? Compute it from the arguments; do not ask
// the device.
//
// The kernel needs `registers` registers a thread (1 to 255). A block of T threads needs
// shared_bytes + T x shared_bytes_per_thread bytes of shared memory (both 0 or more). How many blocks are
// then resident follows from the rules in occupancy.h.
//
// Returns the block size that keeps the most warps resident on an SM: a multiple of 32, and at most
// max_threads_per_block. If several sizes are equally good, returns the largest of them, as
// cudaOccupancyMaxPotentialBlockSize does. Returns 0 if no size can be launched.
//
// Graded:
//   - The size is right for every SM and every kernel.
//   - The function runs on the host and launches no kernel (see chapters/grading.md).

// The resources of one streaming multiprocessor (SM), and the units in which it allocates them.
struct SmLimits {
  int max_threads;                 // threads resident at a time; a partly filled warp counts as 32
  int max_blocks;                  // blocks resident at a time
  int max_threads_per_block;       // a larger block cannot be launched
  int registers;                   // in four equal partitions
  int register_unit;               // a warp's registers are rounded up to a multiple of this
  int shared_bytes;                // shared memory
  int max_shared_bytes_per_block;  // a block that needs more cannot be launched
  int reserved_shared_bytes;       // reserved by the driver for each block, in addition
  int shared_unit;                 // what a block occupies is rounded up to a multiple of this
};

int pick_block_size(SmLimits sm, int registers, int shared_bytes, int shared_bytes_per_thread);
