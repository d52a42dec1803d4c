// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <filesystem>

#include "grader/base/result.h"
#include "grader/base/unique_fd.h"

namespace warplings {

/// Holds a folder against a second grader. It goes with the process, however that ends.
class ClassLock {
 public:
  /// A usage error that names the other process where one holds the folder for longer than `patience`: a
  /// killed grader's processes may take a moment to be gone.
  static Result<ClassLock> Take(const std::filesystem::path& folder,
                                std::chrono::milliseconds patience = std::chrono::seconds(3));

  /// Keeps graders out while the folder is read, and writes nothing: held by several readers at once. Holds
  /// nothing where nobody has ever graded into the folder.
  static Result<ClassLock> TakeToRead(const std::filesystem::path& folder,
                                      std::chrono::milliseconds patience = std::chrono::seconds(3));

 private:
  explicit ClassLock(UniqueFd fd) : fd_(std::move(fd)) {}
  UniqueFd fd_;
};

}  // namespace warplings
