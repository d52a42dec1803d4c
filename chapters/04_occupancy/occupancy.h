// SPDX-License-Identifier: Apache-2.0
#pragma once

// How many blocks of a kernel are resident on a streaming multiprocessor (SM) at a time, and what limits
// them? Compute both from the arguments; do not ask the device.
//
// Work out how many blocks each resource by itself allows. The smallest of these numbers is `blocks`:
//
//   threads        The SM has sm.max_threads. A block takes whole warps: one of 33 threads takes two. If a
//                  block has more than sm.max_threads_per_block threads, 0 blocks are allowed.
//   registers      The SM has sm.registers, in four equal partitions. A warp takes 32 x the registers of a
//                  thread, rounded up to a multiple of sm.register_unit, all in one partition. The warps of
//                  a block may lie in different partitions.
//   shared memory  The SM has sm.shared_bytes. A block takes use.shared_bytes + sm.reserved_shared_bytes,
//                  rounded up to a multiple of sm.shared_unit. If that is 0, there is no limit. But if
//                  use.shared_bytes is more than sm.max_shared_bytes_per_block, 0 blocks are allowed.
//   blocks         The SM has room for sm.max_blocks.
//
// Graded:
//   - blocks, occupancy and limits (struct Occupancy) are right for every SM and kernel.
//   - The function runs on the host and launches no kernel (see chapters/grading.md).

// The resources of one streaming multiprocessor (SM), and the units in which it allocates them.
struct SmLimits {
  int max_threads;                 // threads resident at a time; a partly filled warp counts as 32
  int max_blocks;                  // blocks resident at a time
  int max_threads_per_block;       // a larger block cannot be launched
  int registers;                   // in four equal partitions
  int register_unit;               // a warp's registers are rounded up to a multiple of this
  int shared_bytes;                // shared memory
  int max_shared_bytes_per_block;  // if use.shared_bytes is more, the block cannot be launched
  int reserved_shared_bytes;       // the driver reserves these for each block, on top of use.shared_bytes
  int shared_unit;                 // what a block occupies is rounded up to a multiple of this
};

// The needs of a kernel.
struct KernelUse {
  int threads_per_block;  // at least 1
  int registers;          // per thread, 1 to 255
  int shared_bytes;       // per block, 0 or more
};

// One bit for each resource; `limits` below is a sum of these.
constexpr int kLimitThreads = 1;
constexpr int kLimitRegisters = 2;
constexpr int kLimitSharedMemory = 4;
constexpr int kLimitBlocks = 8;

struct Occupancy {
  int blocks;        // resident on one SM; 0 if the block cannot be launched
  double occupancy;  // resident warps / the most warps that can be resident: 0 to 1
  int limits;        // the sum of the bits of each resource that by itself allows exactly `blocks`
};

Occupancy occupancy(SmLimits sm, KernelUse use);
