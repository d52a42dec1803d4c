// SPDX-License-Identifier: Apache-2.0
#include "grader/cli/temporary_folder.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <string>
#include <system_error>
#include <vector>

namespace warplings {

namespace fs = std::filesystem;

namespace {

constexpr const char* kFolderPrefix = "warplings-";
constexpr std::size_t kFolderNameBytes = 16;  // With mkdtemp's six.
constexpr const char* kOwnerName = ".owner";

/// The lock is taken under another name first: whoever sees `.owner` sees it locked, or its owner dead.
UniqueFd MarkAsOwned(const fs::path& folder) {
  const fs::path unfinished = folder / ".owner.new";
  UniqueFd fd(::open(unfinished.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  if (!fd || ::flock(fd.get(), LOCK_EX | LOCK_NB) != 0) return {};
  if (::rename(unfinished.c_str(), (folder / kOwnerName).c_str()) != 0) return {};
  return fd;
}

/// A folder of ours, not a link, that says whose it was, and who is dead.
bool IsAbandoned(const fs::path& folder) {
  const std::string name = folder.filename().string();
  if (!name.starts_with(kFolderPrefix) || name.size() != kFolderNameBytes) return false;
  struct stat status {};
  if (::lstat(folder.c_str(), &status) != 0 || !S_ISDIR(status.st_mode) || status.st_uid != ::geteuid()) {
    return false;
  }
  const UniqueFd owner(::open((folder / kOwnerName).c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK));
  return owner && ::flock(owner.get(), LOCK_EX | LOCK_NB) == 0;
}

}  // namespace

void RemoveAbandonedFolders(const fs::path& base) {
  std::vector<fs::path> abandoned;
  std::error_code error;
  for (fs::directory_iterator entry(base, error), end; !error && entry != end; entry.increment(error)) {
    if (IsAbandoned(entry->path())) abandoned.push_back(entry->path());
  }
  for (const fs::path& folder : abandoned) fs::remove_all(folder, error);
}

TemporaryFolder::TemporaryFolder() {
  std::error_code error;
  fs::path base = fs::temp_directory_path(error);
  if (error) base = "/tmp";
  RemoveAbandonedFolders(base);
  std::string name = base.string() + "/" + kFolderPrefix + "XXXXXX";
  if (::mkdtemp(name.data()) == nullptr) return;
  path_ = name;
  // Without the mark it merely is not removed after a kill.
  owner_ = MarkAsOwned(path_);
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;  // What cannot be removed is no reason to change the verdict.
  if (!path_.empty()) fs::remove_all(path_, ignored);
}

}  // namespace warplings
