// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "grader/base/wire.h"
#include "grader/core/finding.h"
#include "grader/core/kernel_resources.h"
#include "grader/core/launch_record.h"
#include "grader/device/device.h"
#include "grader/device/device_profile.h"

/// Serialisation of the types in core/ and of the calls on a device.
namespace warplings {

constexpr FindingKind WireLast(FindingKind) {
  return FindingKind::kUnsupported;
}
constexpr Severity WireLast(Severity) {
  return Severity::kError;
}
constexpr MemorySpace WireLast(MemorySpace) {
  return MemorySpace::kParameter;
}
constexpr Access WireLast(Access) {
  return Access::kAtomic;
}
constexpr AllocationKind WireLast(AllocationKind) {
  return AllocationKind::kPinned;
}
constexpr StreamFlags WireLast(StreamFlags) {
  return StreamFlags::kNonBlocking;
}

/// A reply without data.
template <class Archive>
void WireFields(Archive&, Unit&) {}

template <class Archive>
void WireFields(Archive& archive, Dim3& dim) {
  archive(dim.x, dim.y, dim.z);
}

template <class Archive>
void WireFields(Archive& archive, SourceLine& line) {
  archive(line.file, line.line);
}

template <class Archive>
void WireFields(Archive& archive, Finding& finding) {
  archive(finding.kind, finding.severity, finding.kernel, finding.block, finding.thread, finding.where,
          finding.other, finding.space, finding.access, finding.other_access, finding.object,
          finding.object_bytes, finding.offset_bytes, finding.access_bytes, finding.message, finding.count);
}

template <class Archive>
void WireFields(Archive& archive, Counts& counts) {
  VisitCounts(counts, [&](const char*, std::uint64_t& count) { archive(count); });
}

template <class Archive>
void WireFields(Archive& archive, LineCounts& line) {
  archive(line.where, line.counts);
}

template <class Archive>
void WireFields(Archive& archive, LaunchWork& work) {
  VisitWork(work, [&](const char*, auto& number) { archive(number); });
  archive(work.has_matrix_operations);
}

template <class Archive>
void WireFields(Archive& archive, ArrayTraffic& traffic) {
  archive(traffic.label);
  VisitTraffic(traffic, [&](const char*, std::uint64_t& number) { archive(number); });
}

template <class Archive>
void WireFields(Archive& archive, ArrayWriters& writers) {
  archive(writers.label, writers.words, writers.by_nobody, writers.by_copy, writers.by_fill,
          writers.by_kernel, writers.after_host_read, writers.in_exchange_with_host, writers.after_copy,
          writers.threads, writers.most_by_a_thread);
}

template <class Archive>
void WireFields(Archive& archive, AccessSample& sample) {
  archive(sample.where, sample.opcode, sample.space, sample.access, sample.block, sample.warp, sample.phase,
          sample.visit, sample.lanes, sample.bytes, sample.object, sample.object_bytes, sample.start,
          sample.offsets, sample.sectors, sample.wavefronts, sample.conflicts, sample.passes);
}

template <class Archive>
void WireFields(Archive& archive, LaunchRecord& launch) {
  archive(launch.kernel, launch.grid, launch.block, launch.static_shared_bytes, launch.dynamic_shared_bytes,
          launch.registers, launch.local_bytes, launch.blocks_per_sm, launch.occupancy, launch.completed,
          launch.totals, launch.lines, launch.sampled_blocks, launch.work, launch.longest_warp, launch.arrays,
          launch.accesses);
}

template <class Archive>
void WireFields(Archive& archive, InstructionCounts& instruction) {
  archive(instruction.opcode, instruction.where, instruction.counts);
}

template <class Archive>
void WireFields(Archive& archive, KernelProfile& profile) {
  archive(profile.device, profile.launches, profile.sum, profile.instructions);
}

template <class Archive>
void WireFields(Archive& archive, KernelResources& resources) {
  archive(resources.kernel, resources.registers, resources.shared_bytes, resources.local_bytes,
          resources.constant_bytes);
}

template <class Archive>
void WireFields(Archive& archive, DeviceProfile& profile) {
  archive(profile.id, profile.name, profile.major, profile.minor, profile.multiprocessors, profile.clock_khz,
          profile.memory_clock_khz, profile.memory_bus_bits, profile.global_memory_bytes, profile.l2_bytes,
          profile.max_threads_per_block, profile.max_threads_per_multiprocessor,
          profile.max_blocks_per_multiprocessor, profile.registers_per_block,
          profile.registers_per_multiprocessor, profile.shared_bytes_per_block,
          profile.shared_bytes_per_block_optin, profile.shared_bytes_per_multiprocessor,
          profile.reserved_shared_bytes_per_block, profile.integrated);
}

template <class Archive>
void WireFields(Archive& archive, KernelParameter& parameter) {
  archive(parameter.offset, parameter.bytes);
}

template <class Archive>
void WireFields(Archive& archive, KernelInfo& info) {
  archive(info.id, info.parameters, info.argument_bytes, info.resources, info.max_threads_per_block,
          info.ptx_version);
}

template <class Archive>
void WireFields(Archive& archive, VariableInfo& info) {
  archive(info.address, info.bytes, info.mapped_bytes);  // the descriptor is sent separately
}

template <class Archive>
void WireFields(Archive& archive, LaunchRequest& request) {
  archive(request.kernel, request.grid, request.block, request.dynamic_shared_bytes, request.stream,
          request.cooperative, request.arguments);
}

template <class Archive>
void WireFields(Archive& archive, Timing& timing) {
  archive(timing.measured, timing.device_seconds, timing.host_seconds, timing.clock_mhz,
          timing.default_clock_mhz);
}

template <class Archive>
void WireFields(Archive& archive, PendingWork& work) {
  archive(work.stream, work.what);
}

template <class Archive>
void WireFields(Archive& archive, ObservationOptions& options) {
  archive(options.checks, options.counters, options.profile, options.max_warp_instructions, options.work,
          options.sample_blocks, options.arrays, options.accesses);
}

template <class Archive>
void WireFields(Archive& archive, MemoryInfo& info) {
  archive(info.free_bytes, info.total_bytes);
}

template <class Archive>
void WireFields(Archive& archive, PointerInfo& info) {
  archive(info.start, info.bytes, info.kind, info.device);
}

}  // namespace warplings
