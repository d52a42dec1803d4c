// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "grader/base/result.h"

namespace warplings::fatbin {

/// What `warplings run` must know about a program before it starts it.
struct ExecutableInfo {
  bool is_dynamic = false;       ///< It is dynamically linked.
  int cudart_major = 0;          ///< N if it needs libcudart.so.N; 0 otherwise.
  bool needs_driver = false;     ///< It needs libcuda.so.1: it uses the driver API.
  bool has_device_code = false;  ///< It embeds a fatbin. If cudart_major is 0, cudart is linked statically.
  std::vector<std::string> libraries;  ///< Names of all libraries that it needs.
};

/// Reads the headers of an ELF program. Errors (no such file, not a program, truncated) are usage errors.
Result<ExecutableInfo> ReadExecutable(const std::filesystem::path& path);

/// The major version of CUDA whose libcudart ours must replace to run the program; for one that uses the
/// driver API alone, the newest. If it cannot run, the error says why and how to compile the program instead.
Result<int> RuntimeMajorOf(const std::filesystem::path& path);

}  // namespace warplings::fatbin
