// SPDX-License-Identifier: Apache-2.0
#include "grader/virtual_gpu/counters/launch_work.h"

#include <algorithm>
#include <cmath>

#include "grader/virtual_gpu/counters/instruction_cost.h"

namespace warplings::vgpu {
namespace {

constexpr double kPieceBytes = 64;

std::uint64_t Scaled(std::uint64_t count, double scale) {
  return static_cast<std::uint64_t>(std::llround(static_cast<double>(count) * scale));
}

void AddInstruction(LaunchWork& work, std::string_view opcode, const PathSteps& path,
                    const InstCounts& counts) {
  const auto executed = static_cast<double>(counts.executed);
  const InstructionCost cost = CostOf(opcode);
  work.issue_slots += executed * cost.slots;
  work.fp64_slots += executed * cost.fp64_slots;
  work.special_slots += executed * cost.special_slots;
  work.integer_slots += executed * cost.integer_slots;
  work.shuffles += executed * cost.shuffles;
  work.has_matrix_operations = work.has_matrix_operations || cost.is_matrix;
  work.path_cycles += executed * path.cycles;
  work.path_shared += executed * path.shared;
  work.path_global += executed * path.global;
  work.path_barriers += executed * path.barriers;
}

/// What blocks touch of an allocation, together: no more than there is of it.
std::uint64_t TouchedBytes(std::uint64_t pieces, const Footprint::Region& region, double scale) {
  const double whole = std::ceil(static_cast<double>(region.bytes) / kPieceBytes) * kPieceBytes;
  return static_cast<std::uint64_t>(std::min(whole, static_cast<double>(pieces) * scale * kPieceBytes));
}

}  // namespace

LaunchWork WorkOf(const GridRequest& request, const GridOutcome& outcome, const std::vector<PathSteps>& paths,
                  const Footprint& footprint, double scale) {
  LaunchWork work;
  const Program& program = *request.program;
  work.warps = request.grid.Volume() * ((request.block.Volume() + kWarpSize - 1) / kWarpSize);
  for (std::size_t i = 0; i < program.code.size() && i < outcome.counts.size(); ++i) {
    if (outcome.counts[i].executed && !program.opcodes[i].empty())
      AddInstruction(work, program.opcodes[i], paths[i], outcome.counts[i]);
  }
  work.load_lines = Scaled(footprint.load_lines, scale);
  work.store_lines = Scaled(footprint.store_lines, scale);
  for (const auto& [start, region] : footprint.regions) {
    work.block_read_sectors += Scaled(region.read_sectors, scale);
    work.read_bytes += TouchedBytes(region.read_pieces, region, scale);
    work.written_bytes += TouchedBytes(region.written_pieces, region, scale);
    work.atomic_bytes += TouchedBytes(region.atomic_pieces, region, scale);
  }
  return work;
}

void ScaleCounts(std::vector<InstCounts>& counts, double scale) {
  for (InstCounts& inst : counts) {
    for (std::uint64_t* count :
         {&inst.executed, &inst.lanes, &inst.divergences, &inst.global_requests, &inst.sectors, &inst.bytes,
          &inst.shared_requests, &inst.wavefronts, &inst.conflicts, &inst.passes})
      *count = Scaled(*count, scale);
  }
}

}  // namespace warplings::vgpu
