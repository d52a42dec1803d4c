// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

namespace warplings {

/// A program that a submission was linked into, and what the device process must know to run its kernels.
struct WorkerProgram {
  std::filesystem::path file;
  /// SHA-256 of the fat binary that nvcc made of the submission, 64 hexadecimal digits; "" if it made none.
  /// The device process loads this one only: host code can register any bytes as kernels, with PTX that no
  /// compiler has seen and without the resource usage that ptxas reports.
  std::string image{};

  bool empty() const { return file.empty(); }
};

}  // namespace warplings
