// SPDX-License-Identifier: Apache-2.0
#pragma once

// Which block size keeps the most warps resident on a streaming multiprocessor (SM)? Compute it from the
// arguments; do not ask the device.
//
//   - Each thread needs `registers` registers, 1 to 255.
//   - A block of T threads needs shared_bytes + T x shared_bytes_per_thread bytes of shared memory. Both
//     parameters are 0 or more.
//   - The rules in occupancy.h say how many blocks are then resident.
//
// Returns the block size with the most resident warps: a multiple of 32, at most sm.max_threads_per_block.
// If several sizes are equally good, returns the largest, as cudaOccupancyMaxPotentialBlockSize does.
// Returns 0 if no block can be launched, whatever its size.
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
  int reserved_shared_bytes;       // the driver reserves these for each block, on top of what it needs
  int shared_unit;                 // what a block occupies is rounded up to a multiple of this
};

int pick_block_size(SmLimits sm, int registers, int shared_bytes, int shared_bytes_per_thread);
