// SPDX-License-Identifier: Apache-2.0
#include "grader/virtual_gpu/decode/program_builder.h"

#include <algorithm>
#include <cstring>

#include "grader/fatbin/device_names.h"
#include "grader/messages/ptx.h"

namespace warplings::vgpu {

std::uint32_t LaneBytes(ptx::Type type) {
  return std::max(2u, ptx::TypeBytes(type));
}

Builtin ProgramBuilder::BuiltinOf(const ptx::Function& function) const {
  static const std::map<std::string_view, Builtin> builtins = {
      {"vprintf", Builtin::kPrintf},
      {"__assertfail", Builtin::kAssertFail},
      {"malloc", Builtin::kMalloc},
      {"free", Builtin::kFree},
      {"__cudaCDP2GetParameterBufferV2", Builtin::kLaunchBuffer},
      {"__cudaCDP2LaunchDeviceV2", Builtin::kLaunch},
      {"__cudaCDP2LaunchDeviceV2_ptsz", Builtin::kLaunch},
      {"__cudaCDP2MemcpyAsync", Builtin::kCopy},
      {"__cudaCDP2MemcpyAsync_ptsz", Builtin::kCopy},
      {"__cudaCDP2MemsetAsync", Builtin::kFill},
      {"__cudaCDP2MemsetAsync_ptsz", Builtin::kFill},
      {"__cudaCDP2GetLastError", Builtin::kLastError},
      {"__cudaCDP2PeekAtLastError", Builtin::kPeekAtLastError},
      {"__warplings_note_error", Builtin::kNoteError},  // ptx/device_runtime.h
  };
  const auto found = builtins.find(function.name);
  if (found == builtins.end()) return Builtin::kNone;
  return IsOfDeviceRuntime(found->second) && !may_launch ? Builtin::kNone : found->second;
}

OperandRef ProgramBuilder::Constant(std::uint64_t bits, std::uint32_t bytes) {
  if (bytes < 8) bits &= (std::uint64_t{1} << (bytes * 8)) - 1;
  const auto key = std::make_pair(bits, bytes);
  if (auto known = constants_.find(key); known != constants_.end()) return known->second;
  const OperandRef ref = AddLanes(bytes);
  for (int lane = 0; lane < kWarpSize; ++lane) SetLane(ref, lane, bytes, bits);
  return constants_[key] = ref;
}

OperandRef ProgramBuilder::SlotAddresses(const FrameSlot& slot) {
  const OperandRef ref = AddLanes(8);
  for (int lane = 0; lane < kWarpSize; ++lane) {
    SetLane(ref, lane, 8, slot.offset + static_cast<std::uint64_t>(lane) * slot.bytes);
  }
  return ref;
}

Refusal ProgramBuilder::NoAddress(const std::string& name) {
  if (!undefined_) {
    kernels_.emplace();
    undefined_.emplace();
    for (const ptx::Function& function : module.functions) {
      if (function.is_entry) kernels_->insert(function.name);
    }
    for (const ptx::Variable& variable : module.variables) {
      if (variable.is_extern && variable.space != ptx::Space::kShared) undefined_->insert(variable.name);
    }
  }
  if (kernels_->contains(name)) return {say::uses_kernel(fatbin::DemangledName(name)), true};
  if (undefined_->contains(name)) return {say::uses_undefined(fatbin::DemangledName(name)), true};
  return {say::no_address_here(name)};
}

OperandRef ProgramBuilder::AddLanes(std::uint32_t bytes) {
  const auto offset = static_cast<std::uint32_t>(program->constants.size());
  program->constants.resize(offset + RoundUp(bytes * kWarpSize, 64));
  return MakeOperand(Bank::kConstants, offset);
}

void ProgramBuilder::SetLane(OperandRef ref, int lane, std::uint32_t bytes, std::uint64_t bits) {
  const std::size_t at = (ref & 0x3fffffffu) + static_cast<std::size_t>(lane) * bytes;
  std::memcpy(program->constants.data() + at, &bits, bytes);
}

OperandRef ProgramBuilder::SpecialLanes(Special special) {
  for (const auto& slot : program->specials) {
    if (slot.special == special) return MakeOperand(Bank::kSpecials, slot.offset);
  }
  const std::uint32_t offset = program->special_bytes;
  program->specials.push_back({special, offset});
  program->special_bytes += sizeof(std::uint32_t) * kWarpSize;
  return MakeOperand(Bank::kSpecials, offset);
}

}  // namespace warplings::vgpu
