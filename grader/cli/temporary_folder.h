// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "grader/base/unique_fd.h"

namespace warplings {

/// A folder of this run alone below TMPDIR (or /tmp), gone with it. A lock in it tells that its owner lives:
/// folders of killed runs are removed by the next one.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  /// Empty where there can be none; errno says why.
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  UniqueFd owner_;
};

/// Removes what TemporaryFolder made in `base` for this user and a process that no longer is.
void RemoveAbandonedFolders(const std::filesystem::path& base);

}  // namespace warplings
