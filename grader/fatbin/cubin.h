// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "grader/base/result.h"
#include "grader/core/kernel_resources.h"

namespace warplings::fatbin {

struct CubinKernel {
  std::string mangled;  ///< Mangled name, as in the PTX and in __cudaRegisterFunction.
  /// The values that `ptxas -v` prints. `local_bytes` includes the frames of called functions, but not
  /// recursion, whose depth ptxas cannot know. `constant_bytes` is the size of constant bank 0, which holds
  /// launch data and kernel parameters.
  KernelResources resources;
};

/// Reads the kernels of a cubin and their resources; sorted by name.
Result<std::vector<CubinKernel>> ReadCubin(std::span<const std::byte> cubin);

}  // namespace warplings::fatbin
