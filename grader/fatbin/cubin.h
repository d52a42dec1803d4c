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
  std::string mangled;  ///< As the PTX and __cudaRegisterFunction name it.
  /// What `ptxas -v` prints for it. `local_bytes` counts the frames of called functions, too, except
  /// for recursion, whose depth ptxas cannot know. `constant_bytes` is bank 0: the launch's own
  /// data and the arguments.
  KernelResources resources;
};

/// The kernels of a cubin and what each needs, by name.
Result<std::vector<CubinKernel>> ReadCubin(std::span<const std::byte> cubin);

}  // namespace warplings::fatbin
