// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

#include "grader/base/unique_fd.h"

namespace warplings::cuda_gpu {

/// Captures what kernels print. The driver writes that to this process's standard output at every
/// synchronisation, so standard output is redirected to a memory file.
class PrintedText {
 public:
  PrintedText();

  /// The text since the last call; bounded.
  std::string Take();

 private:
  UniqueFd file_;
};

}  // namespace warplings::cuda_gpu
