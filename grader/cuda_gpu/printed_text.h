// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

#include "grader/base/unique_fd.h"

namespace warplings::cuda_gpu {

/// What kernels print: the driver writes it to this process' standard output whenever the card is waited for.
/// A file in memory takes standard output's place.
class PrintedText {
 public:
  PrintedText();

  /// What came since the last call; bounded.
  std::string Take();

 private:
  UniqueFd file_;
};

}  // namespace warplings::cuda_gpu
