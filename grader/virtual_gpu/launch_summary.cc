// SPDX-License-Identifier: Apache-2.0
#include "grader/virtual_gpu/launch_summary.h"

#include <algorithm>
#include <map>
#include <utility>

namespace warplings::vgpu {
namespace {

Counts CountsOf(const Inst& inst, const std::string& opcode, const InstCounts& from) {
  Counts counts;
  counts.warp_instructions = from.executed;
  counts.thread_instructions = from.lanes;
  const bool jumps = inst.control == Control::kBranch || inst.control == Control::kExit;
  if (jumps && inst.guard != kNoOperand) {
    counts.conditional_branches = from.executed;
    counts.lanes_that_branch = from.lanes;
  }
  counts.divergent_branches = from.divergences;
  counts.flops = from.lanes * inst.flops;
  counts.flop_requests = inst.flops ? from.executed : 0;
  if (opcode.starts_with("ld.const")) {
    counts.constant_load_bytes = from.bytes;
    return counts;
  }
  if (inst.control == Control::kBarrier) counts.barriers = from.executed;
  if (inst.access == Access::kAtomic) {
    counts.atomics = from.lanes;
    counts.global_atomic_requests = from.global_requests;
    counts.global_atomic_sectors = from.sectors;
    counts.global_atomic_bytes = from.bytes;
    counts.shared_atomic_requests = from.shared_requests;
    counts.shared_atomic_conflicts = from.conflicts;
    // One atomic may meet both memories, through generic addresses; hardly any does.
    (from.shared_requests ? counts.shared_atomic_passes : counts.global_atomic_passes) = from.passes;
    return counts;
  }
  // An asynchronous copy is a load of global memory and a store to shared memory in one.
  if (inst.access == Access::kRead || inst.is_async_copy) {
    counts.global_load_requests = from.global_requests;
    counts.global_load_sectors = from.sectors;
    counts.global_load_bytes = from.bytes;
  } else {
    counts.global_store_requests = from.global_requests;
    counts.global_store_sectors = from.sectors;
    counts.global_store_bytes = from.bytes;
  }
  if (inst.access == Access::kRead) {
    counts.shared_load_requests = from.shared_requests;
    counts.shared_load_wavefronts = from.wavefronts;
    counts.shared_load_conflicts = from.conflicts;
  } else {
    counts.shared_store_requests = from.shared_requests;
    counts.shared_store_wavefronts = from.wavefronts;
    counts.shared_store_conflicts = from.conflicts;
  }
  return counts;
}

}  // namespace

LaunchRecord SummariseLaunch(const GridRequest& request, const GridOutcome& outcome) {
  const Program& program = *request.program;
  LaunchRecord record;
  record.kernel = program.plain_name;
  record.grid = request.grid;
  record.block = request.block;
  record.static_shared_bytes = program.static_shared_bytes;
  record.dynamic_shared_bytes = request.dynamic_shared_bytes;
  record.completed = outcome.completed;
  record.longest_warp = outcome.longest_warp;
  record.has_block_order = request.HasBlockOrder();
  struct OfLine {
    Counts counts;
    std::map<int, Counts> calls;
  };
  std::map<std::pair<std::string, int>, OfLine> lines;
  for (std::size_t i = 0; i < program.code.size() && i < outcome.counts.size(); ++i) {
    if (!outcome.counts[i].executed) continue;
    const Counts counts = CountsOf(program.code[i], program.opcodes[i], outcome.counts[i]);
    record.totals += counts;
    const SourceLine where = program.Where(program.code[i]);
    OfLine& line = lines[{where.file, where.line}];
    line.counts += counts;
    line.calls[program.CallerLine(program.code[i])] += counts;
  }
  for (auto& [where, of_line] : lines) {
    LineCounts line{{where.first, where.second}, of_line.counts};
    const bool is_inlined = of_line.calls.size() > 1 || of_line.calls.begin()->first != 0;
    if (is_inlined) {
      for (auto& [caller, counts] : of_line.calls) line.calls.push_back({caller, counts});
    }
    record.lines.push_back(std::move(line));
  }
  return record;
}

std::vector<InstructionCounts> CountByInstruction(const Program& program, const GridOutcome& outcome) {
  std::vector<InstructionCounts> all;
  for (std::size_t i = 0; i < program.code.size() && i < outcome.counts.size(); ++i) {
    const Inst& inst = program.code[i];
    all.push_back(
        {program.opcodes[i], program.Where(inst), CountsOf(inst, program.opcodes[i], outcome.counts[i])});
  }
  return all;
}

double EstimateSeconds(const DeviceProfile& profile, const LaunchRecord& launch) {
  constexpr double kLaunchSeconds = 3e-6;
  constexpr double kIssuesPerCycle = 4;  // one for each of an SM's schedulers
  constexpr double kSectorBytes = 32;
  const double clock = profile.clock_khz * 1e3;
  const double issue = static_cast<double>(launch.totals.warp_instructions) /
                       (kIssuesPerCycle * std::max(profile.multiprocessors, 1) * std::max(clock, 1.0));
  const Counts& totals = launch.totals;
  const double bytes = static_cast<double>(totals.global_load_sectors + totals.global_store_sectors +
                                           totals.global_atomic_sectors) *
                       kSectorBytes;
  const double bandwidth = 2.0 * profile.memory_clock_khz * 1e3 * profile.memory_bus_bits / 8;
  return kLaunchSeconds + std::max(issue, bytes / std::max(bandwidth, 1.0));
}

}  // namespace warplings::vgpu
