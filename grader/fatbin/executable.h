// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "grader/base/result.h"

namespace warplings::fatbin {

/// What `warplings run` must know of a program before it starts it.
struct ExecutableInfo {
  bool is_dynamic = false;             ///< Has a list of libraries that it needs.
  int cudart_major = 0;                ///< N of libcudart.so.N among them; 0: none.
  bool has_device_code = false;        ///< Embeds a fatbin; with cudart_major 0: a static cudart.
  bool has_relocatable_code = false;   ///< Was compiled with -rdc=true.
  std::vector<std::string> libraries;  ///< All that it needs, by name.
};

/// Reads the headers of an ELF program. Errors (no such file, no program, cut off) blame the usage.
Result<ExecutableInfo> ReadExecutable(const std::filesystem::path& path);

/// Whether the program can run against our libcudart: the CUDA version to stand in for, or the reason why
/// it cannot and how to compile it so that it can.
Result<int> RuntimeMajorOf(const std::filesystem::path& path);

}  // namespace warplings::fatbin
