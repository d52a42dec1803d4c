// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace warplings {

/// Writes mangled names as C++ does, in bounded time and memory: an object's author chooses its names, and
/// one of 260 characters can stand for gigabytes of text. One for each job, because thousands of modest names
/// add up, too.
class Demangler {
 public:
  /// "tiled_matmul(float const*, int)" of "_Z12tiled_matmulPKfi". Empty where the name is not mangled, or
  /// stands for more text than a person would write, or where this job has used up its text.
  std::string operator()(std::string_view mangled);

 private:
  /// All names of a large file with the standard library in it take a few megabytes.
  std::size_t left_ = std::size_t{32} << 20;
};

}  // namespace warplings
