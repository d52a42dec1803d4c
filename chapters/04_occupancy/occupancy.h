// SPDX-License-Identifier: Apache-2.0
#pragma once

// How many blocks of a kernel are resident on a streaming multiprocessor (SM) at a time, and what limits
// them? Compute both from the arguments; do not ask the device.
//
// Each resource alone allows a number of blocks, and the smallest of these numbers counts:
//
//   threads        sm.max_threads; a block occupies whole warps: a block of 33 threads takes two
//   registers      sm.registers, in four equal partitions. A warp takes 32 x the registers of a thread,
//                  rounded up to a multiple of sm.register_unit, all in one partition. The warps of a
//                  block may lie in different partitions
//   shared memory  sm.shared_bytes; a block occupies use.shared_bytes + sm.reserved_shared_bytes, rounded
//                  up to a multiple of sm.shared_unit; if the result is 0, shared memory is no limit
//   blocks         sm.max_blocks
//
// A block cannot be launched if it has more than sm.max_threads_per_block threads, or if use.shared_bytes
// is more than sm.max_shared_bytes_per_block. Then that resource allows 0 blocks.
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
  int max_shared_bytes_per_block;  // a block with more use.shared_bytes cannot be launched
  int reserved_shared_bytes;       // reserved by the driver for each block, in addition
  int shared_unit;                 // what a block occupies is rounded up to a multiple of this
};

// The needs of a kernel.
struct KernelUse {
  int threads_per_block;  // at least 1
  int registers;          // per thread, 1 to 255
  int shared_bytes;       // per block, 0 or more
};

// The resources that keep the SM from taking one more block. If there are several, their bits are added.
constexpr int kLimitThreads = 1;
constexpr int kLimitRegisters = 2;
constexpr int kLimitSharedMemory = 4;
constexpr int kLimitBlocks = 8;

struct Occupancy {
  int blocks;        // resident on one SM; 0 if the block cannot be launched
  double occupancy;  // resident warps / the maximum number of resident warps: 0 to 1
  int limits;        // every resource that alone allows only `blocks` blocks
};

Occupancy occupancy(SmLimits sm, KernelUse use);
