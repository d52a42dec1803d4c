// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace warplings {

/// The resources that ptxas assigned to one kernel. They are read from the cubin, never from printed text,
/// which a submission could fake with #pragma message.
struct KernelResources {
  std::string kernel;              ///< Demangled, without parameters.
  std::uint32_t registers = 0;     ///< Per thread.
  std::uint32_t shared_bytes = 0;  ///< Static, per block.
  std::uint32_t local_bytes = 0;   ///< Per thread: stack frame and spills.
  std::uint32_t constant_bytes = 0;
};

}  // namespace warplings
