// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "grader/core/access_sample.h"
#include "grader/core/finding.h"

namespace warplings {

/// The counters of the virtual GPU, at PTX level. A *request* is one warp's execution of one memory
/// instruction. Its *sectors* are the 32-byte pieces of memory that it touches. A *wavefront* is one pass of
/// shared memory, in which each of the 32 banks serves at most one 4-byte word; *conflicts* are the
/// wavefronts beyond the minimum for the access size (1 for up to 4 bytes per lane, 2 for 8, 4 for 16; ncu on
/// an H200 counts the same way). Atomics are counted separately from loads and stores. A *pass* of an atomic
/// serves one lane per address: lanes of a warp that hit the same address are serialised, so a request has as
/// many passes as there are lanes at its most contended address.
struct Counts {
  std::uint64_t warp_instructions = 0;
  std::uint64_t thread_instructions = 0;  ///< warp_instructions weighted by active lanes.
  /// Of both: conditional branches, of which only the lanes that jump are counted. A branch that no lane
  /// takes leaves no lane idle.
  std::uint64_t conditional_branches = 0, lanes_that_branch = 0;
  std::uint64_t global_load_requests = 0, global_load_sectors = 0, global_load_bytes = 0;
  std::uint64_t global_store_requests = 0, global_store_sectors = 0, global_store_bytes = 0;
  std::uint64_t shared_load_requests = 0, shared_load_wavefronts = 0, shared_load_conflicts = 0;
  std::uint64_t shared_store_requests = 0, shared_store_wavefronts = 0, shared_store_conflicts = 0;
  std::uint64_t global_atomic_requests = 0, global_atomic_sectors = 0, global_atomic_bytes = 0;
  std::uint64_t global_atomic_passes = 0;
  std::uint64_t shared_atomic_requests = 0, shared_atomic_passes = 0;
  /// Bank conflicts, counted as for loads; not included in the passes.
  std::uint64_t shared_atomic_conflicts = 0;
  std::uint64_t atomics = 0;             ///< Thread-level atomic operations.
  std::uint64_t barriers = 0;            ///< Arrivals at barriers, counted per warp.
  std::uint64_t divergent_branches = 0;  ///< Branches that split a warp's active lanes.
  std::uint64_t flops = 0;  ///< Counted per thread, for fp16, fp32 and fp64; a fused multiply-add counts 2.
  std::uint64_t flop_requests = 0;  ///< Warp instructions that count flops, however many lanes are active.
  std::uint64_t constant_load_bytes = 0;  ///< Read from __constant__ variables, summed over lanes.

  Counts& operator+=(const Counts& other);
};

/// What a line of an inlined function costs where one line calls that function.
struct CallCounts {
  int line = 0;  ///< Of the call, in the same file; 0: unknown.
  Counts counts;
};

struct LineCounts {
  SourceLine where;
  Counts counts;
  std::vector<CallCounts> calls = {};  ///< By line; empty if the line is in no inlined function.
};

/// Adds line by line; both are sorted by file and line.
void AddLines(std::vector<LineCounts>& sum, const std::vector<LineCounts>& lines);

/// The counters of one PTX instruction.
struct InstructionCounts {
  std::string opcode;  ///< "ld.shared.v4.f32"; empty for the implicit return at the end of a function.
  SourceLine where;
  Counts counts;
};

/// What an estimate of a launch's time (grader/timing/estimate.h) needs besides Counts. Sums over all warps
/// of the launch; if only a sample of the blocks ran, scaled up to all blocks.
struct LaunchWork {
  std::uint64_t warps = 0;
  /// Estimated issue slots: the warp instructions that ptxas probably makes of the PTX …
  double issue_slots = 0;
  /// … of which: executed by the FP64 units, by the special function units …
  double fp64_slots = 0, special_slots = 0;
  double integer_slots = 0;  ///< … and integer, logic and comparison instructions.
  double shuffles = 0;
  /// The critical path: for each straight-line stretch of code that a warp executed, the longest chain of
  /// dependent instructions, summed. In cycles of arithmetic, and in numbers of waits for shared memory, for
  /// global memory and at barriers.
  double path_cycles = 0, path_shared = 0, path_global = 0, path_barriers = 0;
  /// 128-byte cache lines touched, summed over the requests to global memory.
  std::uint64_t load_lines = 0, store_lines = 0;
  /// Different sectors that each block reads, summed over blocks: what an ideal L1 cache would request from
  /// L2.
  std::uint64_t block_read_sectors = 0;
  /// Traffic with DRAM, which moves 64 bytes at a time: the bytes of all different 64-byte pieces that a
  /// block touches, summed over blocks, but at most the size of the allocations.
  std::uint64_t read_bytes = 0, written_bytes = 0;
  std::uint64_t atomic_bytes = 0;      ///< The same for global atomics.
  bool has_matrix_operations = false;  ///< Matrix instructions, for which there is no estimate.

  LaunchWork& operator+=(const LaunchWork& other);
};

/// A launch's traffic with one of the arrays that were passed to the call. An atomic counts as both a load
/// and a store.
struct ArrayTraffic {
  std::string label;  ///< "M".
  std::uint64_t load_bytes = 0, load_sectors = 0;
  std::uint64_t store_bytes = 0, store_sectors = 0;
};

/// Which kind of operation was the last to write each 4-byte word of an array, since the call began.
struct ArrayWriters {
  std::string label;  ///< "P".
  std::uint64_t words = 0;
  std::uint64_t by_nobody = 0, by_copy = 0, by_fill = 0, by_kernel = 0;  ///< They add up to `words`.
  /// Of `by_kernel`: words whose launch ran after the host had, or could have, read device memory. Of
  /// `by_copy`: words copied after that, or copied from the host over what a kernel had stored.
  std::uint64_t after_host_read = 0;
  /// Of `after_host_read`: words whose launch no copy to the host preceded. A kernel had written managed or
  /// pinned memory, which the host can read unseen.
  std::uint64_t after_shared_write = 0;
  /// Of `by_kernel`: words whose launch both wrote and read memory that the host can access: the host may
  /// have computed them while the launch ran.
  std::uint64_t in_exchange_with_host = 0;
  /// Of `by_kernel`: words whose launch ran after a device-to-device copy.
  std::uint64_t after_copy = 0;
  std::uint64_t threads = 0;  ///< Number of different threads that were the last writer of a word; threads of
                              ///< different launches differ.
  std::uint64_t most_by_a_thread = 0;  ///< The largest number of words whose last writer is one thread.
};

/// One kernel launch as the device process saw it.
struct LaunchRecord {
  std::string kernel;  ///< Demangled, without parameters.
  Dim3 grid, block;
  std::uint32_t static_shared_bytes = 0;   ///< Per block.
  std::uint32_t dynamic_shared_bytes = 0;  ///< Per block: the third argument in <<<...>>>.
  std::uint32_t registers = 0;             ///< Per thread, from the cubin; 0 if none is embedded.
  std::uint32_t local_bytes = 0;           ///< Per thread: stack and spills, from the cubin.
  std::uint32_t blocks_per_sm = 0;         ///< Resident blocks, computed by cuda_occupancy.h; 0 if unknown.
  double occupancy = 0;                    ///< Resident warps / maximum warps, 0 to 1; 0 if unknown.
  /// 0: the default stream. Other streams have numbers of their own, in the order in which they were made,
  /// and no two share one. A kernel that a kernel launched has the stream of the first one.
  std::uint64_t stream = 0;
  bool completed = false;  ///< False: stopped by the watchdog, a trap or a deadlock.
  Counts totals;
  std::vector<LineCounts> lines;  ///< Per source line, in order of file and line.
  /// The number of blocks that ran, if only a sample did; `totals` and `lines` are then scaled up to all
  /// blocks.
  std::optional<std::uint64_t> sampled_blocks;
  std::optional<LaunchWork> work;  ///< Present if ObservationOptions::work was set.
  /// Instructions executed by the warp that executed the most.
  std::uint64_t longest_warp = 0;
  /// Blocks may communicate, so the result may depend on ObservationOptions::block_order.
  bool has_block_order = false;
  /// For each array that the judge passed; empty unless ObservationOptions::arrays was set.
  std::vector<ArrayTraffic> arrays;
  /// A few requests in full; present if ObservationOptions::accesses was set. Sorted by instruction in
  /// program order, then by block, warp and visit.
  std::optional<std::vector<AccessSample>> accesses;
};

/// The summed counts of all launches of one kernel with the same grid and block dimensions on one device. A
/// program has few of these, however often it launches.
struct KernelProfile {
  std::uint32_t device = 0;  ///< Ordinal.
  std::uint64_t launches = 0;
  LaunchRecord sum;                             ///< `completed`: all of them completed.
  std::vector<InstructionCounts> instructions;  ///< The executed ones, in program order.
};

}  // namespace warplings
