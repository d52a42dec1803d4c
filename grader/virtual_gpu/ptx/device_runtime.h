// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace warplings::ptx {

/// The functions of NVIDIA's device runtime that a program of these texts declares, as PTX of our own, to be
/// linked with it. In PTX, so that each store through a program's pointer is checked as its own stores are.
/// Those that only the interpreter can do are builtins (Builtin in machine/program.h).
///
/// cudaGraphSetConditional stores to the condition's word, whose address is the handle
/// (grader/runtime/graph_conditions.h). The others, of kernels that launch kernels, are there only if the
/// program `may_launch`. Streams and events of kernels change nothing: what a grid launches runs in the order
/// of its launches.
std::optional<std::string> DeviceRuntimeFor(std::span<const std::string> texts, bool may_launch);

/// The handle of every stream that a kernel makes.
inline constexpr std::uint64_t kDeviceStream = 0x100;

}  // namespace warplings::ptx
