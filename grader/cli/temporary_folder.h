// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "grader/base/unique_fd.h"

namespace warplings {

/// A temporary folder of this run below TMPDIR (or /tmp); the destructor removes it. A lock in it shows that
/// its owner is alive, so that the next run can remove folders of killed runs.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  /// Empty if it could not be created; errno says why.
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  UniqueFd owner_;
};

/// Removes folders that TemporaryFolder made in `base` for processes of this user that no longer exist.
void RemoveAbandonedFolders(const std::filesystem::path& base);

}  // namespace warplings
