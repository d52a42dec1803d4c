// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "grader/base/result.h"
#include "grader/virtual_gpu/machine/program.h"
#include "grader/virtual_gpu/ptx/module.h"

namespace warplings::vgpu {

/// Limits on what a kernel may use. Local memory per thread: CUDA C++ Programming Guide, "Technical
/// Specifications per Compute Capability"; arguments: PTX ISA, "Kernel Function Parameters". The others
/// prevent hostile PTX from using sizes that overflow their fields; cards have far less.
inline constexpr std::uint64_t kMaxLocalBytes = 512 << 10;
inline constexpr std::uint64_t kMaxParameterBytes = 32'764;
inline constexpr std::uint64_t kMaxSharedBytes = kWindowBytes / 2;            ///< Including the gaps.
inline constexpr std::uint64_t kMaxFrameBytes = std::uint64_t{64} << 20;      ///< Registers of one warp.
inline constexpr std::uint64_t kMaxConstantBytes = std::uint64_t{256} << 20;  ///< Of one program.

/// "… needs 5000000000 bytes of local memory per thread; the limit is 524288", if it does.
Status CheckSize(const std::string& function, const MessageRow<>& what, std::uint64_t bytes,
                 std::uint64_t limit);

constexpr std::uint64_t RoundUp64(std::uint64_t value, std::uint64_t unit) {
  return unit ? (value + unit - 1) / unit * unit : value;
}
constexpr std::uint32_t RoundUp(std::uint32_t value, std::uint32_t unit) {
  return unit ? (value + unit - 1) / unit * unit : value;
}

/// Offsets by PTX name.
using Offsets = std::map<std::string, std::uint64_t, std::less<>>;

/// Places every shared array that the kernel, or a function that it may call, uses, with gaps between them.
/// Sets Program::shared, shared_bytes and static_shared_bytes. Returns the offset of each array.
Result<Offsets> LayOutShared(const ptx::Module& module, const ptx::Function& kernel, Program& program);

/// The argument block of the kernel, by the ABI: each parameter at the next multiple of its alignment.
Result<Offsets> LayOutParameters(const ptx::Function& kernel, Program& program);

}  // namespace warplings::vgpu
