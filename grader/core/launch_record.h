// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "grader/core/access_sample.h"
#include "grader/core/finding.h"

namespace warplings {

/// What the virtual GPU counts, at PTX level. A *request* is one warp's execution of one memory
/// instruction. Sectors are the 32-byte pieces a request touches. A wavefront is one pass of the
/// shared memory's 32 banks; conflicts are wavefronts beyond what the access width needs at best
/// (1 for 4 bytes and less, 2 for 8, 4 for 16: ncu on an H200 counts the same way). Atomics are counted apart
/// from loads and stores. A *pass* of an atomic serves one lane for each address: lanes of a warp that hit
/// the same address take turns, so a request has as many passes as its most wanted address has lanes.
struct Counts {
  std::uint64_t warp_instructions = 0;
  std::uint64_t thread_instructions = 0;  ///< warp_instructions weighted by active lanes.
  std::uint64_t global_load_requests = 0, global_load_sectors = 0, global_load_bytes = 0;
  std::uint64_t global_store_requests = 0, global_store_sectors = 0, global_store_bytes = 0;
  std::uint64_t shared_load_requests = 0, shared_load_wavefronts = 0, shared_load_conflicts = 0;
  std::uint64_t shared_store_requests = 0, shared_store_wavefronts = 0, shared_store_conflicts = 0;
  std::uint64_t global_atomic_requests = 0, global_atomic_sectors = 0, global_atomic_bytes = 0;
  std::uint64_t global_atomic_passes = 0;
  std::uint64_t shared_atomic_requests = 0, shared_atomic_passes = 0;
  std::uint64_t shared_atomic_conflicts = 0;  ///< Of banks, as of loads; beside the passes.
  std::uint64_t atomics = 0;                  ///< Thread-level atomic operations.
  std::uint64_t barriers = 0;                 ///< Warp-level arrivals.
  std::uint64_t divergent_branches = 0;       ///< Branches that split a warp's active lanes.
  std::uint64_t flops = 0;                    ///< Thread-level, fp16/32/64; a fused multiply-add counts 2.
  std::uint64_t flop_requests = 0;  ///< Warp-level: instructions that count flops, whatever their lanes.
  std::uint64_t constant_load_bytes = 0;  ///< From __constant__ variables, by all lanes.

  Counts& operator+=(const Counts& other);
};

/// Calls visit(name, member) for every count; the one list of them (JSON, protocol, sums).
template <class CountsType, class Visitor>
void VisitCounts(CountsType& counts, Visitor&& visit) {
  visit("warp_instructions", counts.warp_instructions);
  visit("thread_instructions", counts.thread_instructions);
  visit("global_load_requests", counts.global_load_requests);
  visit("global_load_sectors", counts.global_load_sectors);
  visit("global_load_bytes", counts.global_load_bytes);
  visit("global_store_requests", counts.global_store_requests);
  visit("global_store_sectors", counts.global_store_sectors);
  visit("global_store_bytes", counts.global_store_bytes);
  visit("shared_load_requests", counts.shared_load_requests);
  visit("shared_load_wavefronts", counts.shared_load_wavefronts);
  visit("shared_load_conflicts", counts.shared_load_conflicts);
  visit("shared_store_requests", counts.shared_store_requests);
  visit("shared_store_wavefronts", counts.shared_store_wavefronts);
  visit("shared_store_conflicts", counts.shared_store_conflicts);
  visit("global_atomic_requests", counts.global_atomic_requests);
  visit("global_atomic_sectors", counts.global_atomic_sectors);
  visit("global_atomic_bytes", counts.global_atomic_bytes);
  visit("global_atomic_passes", counts.global_atomic_passes);
  visit("shared_atomic_requests", counts.shared_atomic_requests);
  visit("shared_atomic_passes", counts.shared_atomic_passes);
  visit("shared_atomic_conflicts", counts.shared_atomic_conflicts);
  visit("atomics", counts.atomics);
  visit("barriers", counts.barriers);
  visit("divergent_branches", counts.divergent_branches);
  visit("flops", counts.flops);
  visit("flop_requests", counts.flop_requests);
  visit("constant_load_bytes", counts.constant_load_bytes);
}

struct LineCounts {
  SourceLine where;
  Counts counts;
};

/// What one PTX instruction did.
struct InstructionCounts {
  std::string opcode;  ///< "ld.shared.v4.f32"; empty for the end of a function that PTX does not spell.
  SourceLine where;
  Counts counts;
};

/// What an estimate of a launch's time needs beside its counts (grader/timing/estimate.h). Sums over all
/// warps of the launch; of a launch of which a sample of the blocks ran, scaled to all of them.
struct LaunchWork {
  std::uint64_t warps = 0;
  /// Warp instructions by guess of what ptxas makes of the PTX, …
  double issue_slots = 0;
  double fp64_slots = 0, special_slots = 0;  ///< … and those that only such units execute, …
  double integer_slots = 0;                  ///< … or those for integers, logic and comparisons.
  double shuffles = 0;
  /// The longest chains of dependent instructions, one for each stretch of straight code that a warp ran:
  /// cycles of arithmetic, and how often it waits for shared memory, for global memory, at a barrier.
  double path_cycles = 0, path_shared = 0, path_global = 0, path_barriers = 0;
  /// 128-byte lines that each request to global memory touches.
  std::uint64_t load_lines = 0, store_lines = 0;
  /// Sectors that a block reads, each once: what an ideal L1 cache asks L2 for.
  std::uint64_t block_read_sectors = 0;
  /// What has to come from DRAM and to go there, which moves 64 bytes at a time: such pieces that blocks
  /// touch, each block's own summed up, but no more than the allocations have.
  std::uint64_t read_bytes = 0, written_bytes = 0;
  std::uint64_t atomic_bytes = 0;      ///< Likewise of global atomics.
  bool has_matrix_operations = false;  ///< Whose time no estimate knows.

  LaunchWork& operator+=(const LaunchWork& other);
};

/// Calls visit(name, member) for every number; the one list of them.
template <class WorkType, class Visitor>
void VisitWork(WorkType& work, Visitor&& visit) {
  visit("warps", work.warps);
  visit("issue_slots", work.issue_slots);
  visit("fp64_slots", work.fp64_slots);
  visit("special_slots", work.special_slots);
  visit("integer_slots", work.integer_slots);
  visit("shuffles", work.shuffles);
  visit("path_cycles", work.path_cycles);
  visit("path_shared", work.path_shared);
  visit("path_global", work.path_global);
  visit("path_barriers", work.path_barriers);
  visit("load_lines", work.load_lines);
  visit("store_lines", work.store_lines);
  visit("block_read_sectors", work.block_read_sectors);
  visit("read_bytes", work.read_bytes);
  visit("written_bytes", work.written_bytes);
  visit("atomic_bytes", work.atomic_bytes);
}

/// What a launch moved from and to one of the arrays that a call was given. Atomics count as loads and
/// stores.
struct ArrayTraffic {
  std::string label;  ///< "M".
  std::uint64_t load_bytes = 0, load_sectors = 0;
  std::uint64_t store_bytes = 0, store_sectors = 0;
};

/// Calls visit(name, member) for every number; the one list of them.
template <class TrafficType, class Visitor>
void VisitTraffic(TrafficType& traffic, Visitor&& visit) {
  visit("load_bytes", traffic.load_bytes);
  visit("load_sectors", traffic.load_sectors);
  visit("store_bytes", traffic.store_bytes);
  visit("store_sectors", traffic.store_sectors);
}

/// Who wrote an array's 4-byte words last since the call began.
struct ArrayWriters {
  std::string label;  ///< "P".
  std::uint64_t words = 0;
  std::uint64_t by_nobody = 0, by_copy = 0, by_fill = 0, by_kernel = 0;  ///< Their sum is `words`.
  /// Of those by a kernel: whose launch ran after the host had read device memory, or could have.
  std::uint64_t after_host_read = 0;
  /// Of those by a kernel: whose launch ran after something was copied within the device.
  std::uint64_t after_copy = 0;
  std::uint64_t threads = 0;           ///< Different ones that wrote a word last; each launch has its own.
  std::uint64_t most_by_a_thread = 0;  ///< Words.
};

/// One kernel launch as the device process saw it.
struct LaunchRecord {
  std::string kernel;  ///< Demangled, without parameters.
  Dim3 grid, block;
  std::uint32_t static_shared_bytes = 0;   ///< Per block.
  std::uint32_t dynamic_shared_bytes = 0;  ///< Per block, the launch's third parameter.
  std::uint32_t registers = 0;             ///< Per thread, from ptxas' cubin; 0 where none is embedded.
  std::uint32_t local_bytes = 0;           ///< Per thread: stack and spills, from the cubin.
  std::uint32_t blocks_per_sm = 0;         ///< Resident blocks by cuda_occupancy.h; 0 if unknown.
  double occupancy = 0;                    ///< Resident warps / maximum warps, 0 to 1; 0 if unknown.
  bool completed = false;                  ///< False: stopped by the watchdog, a trap or a deadlock.
  Counts totals;
  std::vector<LineCounts> lines;  ///< Per source line, in order of file and line.
  /// How many blocks ran, where not all did: totals and lines are then scaled to all.
  std::optional<std::uint64_t> sampled_blocks;
  std::optional<LaunchWork> work;  ///< Where ObservationOptions::work asked for it.
  /// Warp instructions of the warp that executed most.
  std::uint64_t longest_warp = 0;
  /// By array that the judge gave; where ObservationOptions::arrays asked for it.
  std::vector<ArrayTraffic> arrays;
  /// A few requests in full, where ObservationOptions::accesses asked for them: in the order of the program's
  /// instructions, then of blocks, warps and visits.
  std::optional<std::vector<AccessSample>> accesses;
};

/// All launches of one kernel in one shape on one device: their counts summed, also by instruction. A program
/// has few of them, however often it launches.
struct KernelProfile {
  std::uint32_t device = 0;  ///< Ordinal.
  std::uint64_t launches = 0;
  LaunchRecord sum;                             ///< completed: all of them.
  std::vector<InstructionCounts> instructions;  ///< Those that were executed, in the program's order.
};

}  // namespace warplings
