// SPDX-License-Identifier: Apache-2.0
#include "grader/virtual_gpu/loaded_kernel.h"

#include <algorithm>

#include "grader/device/occupancy.h"

namespace warplings::vgpu {
namespace {

/// For cudaFuncGetAttributes, where the program has PTX only: what ptxas would give is not known. An
/// estimate limits no launch.
std::uint32_t EstimateRegisters(const Program& program, const DeviceProfile& profile) {
  constexpr std::uint32_t kLeast = 8, kMost = 255, kBeyondValues = 4;
  std::uint32_t most = kMost;
  // ptxas keeps what __launch_bounds__ promises.
  if (program.max_threads != 0) {
    const auto all = static_cast<std::uint32_t>(profile.registers_per_block);
    most = std::clamp(all / program.max_threads / 8 * 8, kLeast, kMost);
  }
  return std::clamp(program.live_registers + kBeyondValues, kLeast, most);
}

}  // namespace

void DescribeKernel(LoadedKernel& kernel, const DeviceProfile& profile) {
  const Program& program = *kernel.program;
  KernelInfo& info = kernel.info;
  for (const auto& parameter : program.parameters)
    info.parameters.push_back({parameter.offset, parameter.bytes});
  info.argument_bytes = program.argument_bytes;
  info.resources = kernel.resources;
  info.resources.kernel = program.plain_name;
  if (!kernel.has_resources) info.resources.registers = EstimateRegisters(program, profile);
  info.resources.shared_bytes = program.static_shared_bytes;
  const auto limit = static_cast<std::uint32_t>(profile.max_threads_per_block);
  info.max_threads_per_block = program.max_threads ? std::min(limit, program.max_threads) : limit;
  info.ptx_version = static_cast<std::uint32_t>(profile.major * 10 + profile.minor);
  kernel.limits = {.static_shared_bytes = program.static_shared_bytes,
                   .promised_threads = program.max_threads,
                   .argument_bytes = program.argument_bytes,
                   .registers = kernel.resources.registers,
                   .max_dynamic_shared = 0};
}

void FillResources(LaunchRecord& record, const LoadedKernel& kernel, const LaunchRequest& request,
                   const DeviceProfile& profile) {
  record.registers = kernel.resources.registers;
  record.local_bytes = kernel.resources.local_bytes;
  if (!kernel.has_resources) return;  // without registers, occupancy is not known
  const BlockShape shape{static_cast<std::uint32_t>(request.block.Volume()), kernel.resources.registers,
                         kernel.program->static_shared_bytes, request.dynamic_shared_bytes};
  record.blocks_per_sm = BlocksPerMultiprocessor(profile, shape);
  record.occupancy = Occupancy(profile, shape);
}

std::uint32_t LeastStore(const Program& program) {
  std::uint32_t least = 4;
  for (const Inst& inst : program.code) {
    if (inst.global_store_bytes) least = std::min<std::uint32_t>(least, inst.global_store_bytes);
  }
  return least;
}

}  // namespace warplings::vgpu
