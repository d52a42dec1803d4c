// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <filesystem>

#include "grader/base/result.h"
#include "grader/base/unique_fd.h"

namespace warplings {

/// Locks a class's folder so that two graders do not write to it at once. The lock ends with the process,
/// however that ends.
class ClassLock {
 public:
  /// Takes an exclusive lock. Waits up to `patience`, because the processes of a killed grader may take a
  /// moment to end; then returns a usage error that names the process that holds the lock.
  static Result<ClassLock> Take(const std::filesystem::path& folder,
                                std::chrono::milliseconds patience = std::chrono::seconds(3));

  /// Takes a shared lock, which keeps graders out while several readers may read. Writes nothing: if nobody
  /// has ever graded into the folder, there is nothing to lock.
  static Result<ClassLock> TakeToRead(const std::filesystem::path& folder,
                                      std::chrono::milliseconds patience = std::chrono::seconds(3));

 private:
  explicit ClassLock(UniqueFd fd) : fd_(std::move(fd)) {}
  UniqueFd fd_;
};

}  // namespace warplings
