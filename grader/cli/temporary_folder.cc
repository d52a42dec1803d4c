// SPDX-License-Identifier: Apache-2.0
#include "grader/cli/temporary_folder.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "grader/base/discard_folder.h"

namespace warplings {

namespace fs = std::filesystem;

namespace {

constexpr const char* kFolderPrefix = "warplings-";
constexpr std::size_t kFolderNameBytes = 16;  // With mkdtemp's six.
constexpr const char* kOwnerName = ".owner";

constexpr const char* kUnfinishedName = ".owner.new";
constexpr int kAttempts = 10;

/// The lock is taken under another name first: whoever sees `.owner` sees it locked, or its owner dead.
UniqueFd MarkAsOwned(const fs::path& folder) {
  const fs::path unfinished = folder / kUnfinishedName;
  UniqueFd fd(::open(unfinished.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  if (!fd || ::flock(fd.get(), LOCK_EX | LOCK_NB) != 0) return {};
  if (::rename(unfinished.c_str(), (folder / kOwnerName).c_str()) != 0) return {};
  return fd;
}

UniqueFd Lock(const fs::path& file) {
  UniqueFd fd(::open(file.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK));
  return fd && ::flock(fd.get(), LOCK_EX | LOCK_NB) == 0 ? std::move(fd) : UniqueFd();
}

/// The lock of a folder of ours, not a link, whose owner is dead; nothing for any other. An owner that lives
/// and has only begun to mark its folder (MarkAsOwned) meets a lock that is taken as long as this one is
/// held, or no folder any more, and takes another one.
UniqueFd LockAbandoned(const fs::path& folder) {
  const std::string name = folder.filename().string();
  if (!name.starts_with(kFolderPrefix) || name.size() != kFolderNameBytes) return {};
  struct stat status {};
  if (::lstat(folder.c_str(), &status) != 0 || !S_ISDIR(status.st_mode) || status.st_uid != ::geteuid()) {
    return {};
  }
  if (::lstat((folder / kOwnerName).c_str(), &status) == 0) return Lock(folder / kOwnerName);
  UniqueFd lock = Lock(folder / kUnfinishedName);
  if (!lock) ::rmdir(folder.c_str());  // Not marked at all: of a run that was killed before, or is about to.
  return lock;
}

}  // namespace

void RemoveAbandonedFolders(const fs::path& base) {
  std::vector<fs::path> entries;
  std::error_code error;
  for (fs::directory_iterator entry(base, error), end; !error && entry != end; entry.increment(error)) {
    entries.push_back(entry->path());
  }
  for (const fs::path& folder : entries) {
    if (const UniqueFd lock = LockAbandoned(folder)) fs::remove_all(folder, error);
  }
}

TemporaryFolder::TemporaryFolder() {
  std::error_code error;
  fs::path base = fs::temp_directory_path(error);
  if (error) base = "/tmp";
  RemoveAbandonedFolders(base);
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    std::string name = base.string() + "/" + kFolderPrefix + "XXXXXX";
    if (::mkdtemp(name.data()) == nullptr) return;
    errno = 0;
    owner_ = MarkAsOwned(name);
    // Another run may have taken it for an abandoned one before it was marked.
    if (!owner_ && (errno == ENOENT || errno == EWOULDBLOCK)) continue;
    // Without the mark, as where a disk is full, it merely is not removed after a kill.
    path_ = name;
    return;
  }
}

TemporaryFolder::~TemporaryFolder() {
  if (!path_.empty()) DiscardFolder(path_);
}

}  // namespace warplings
