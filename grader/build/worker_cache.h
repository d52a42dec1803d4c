// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "grader/base/result.h"

namespace warplings {

/// A worker program as a file. While `lifetime` is held a temporary one exists; it is empty for one
/// that stays in the cache.
struct WorkerFile {
  std::filesystem::path path;
  std::shared_ptr<const void> lifetime;
};

/// Workers that were built before, by the hash of everything that went into them. Lives in
/// $XDG_CACHE_HOME/warplings/workers, or ~/.cache/…; of bounded size, the longest unused goes first.
/// Safe for several processes at once: an entry appears whole, by rename, or not at all. Whatever goes
/// wrong here (no home, a full disk, a read-only one) costs time, never a result.
class WorkerCache {
 public:
  struct Entry {
    std::filesystem::path worker;
    std::string compiler_output;  ///< Warnings of the build; shown each time.
  };

  /// `folder` empty: no cache.
  explicit WorkerCache(std::filesystem::path folder, std::uintmax_t max_bytes = std::uintmax_t{256} << 20)
      : folder_(std::move(folder)), max_bytes_(max_bytes) {}

  std::optional<Entry> Find(const std::string& key) const;
  /// Keeps the first `bytes` of the open file `fd`; nothing if that failed.
  std::optional<Entry> Insert(const std::string& key, int fd, std::uintmax_t bytes,
                              const std::string& compiler_output) const;

 private:
  void RemoveOldest() const;

  std::filesystem::path folder_;
  std::uintmax_t max_bytes_;
};

/// The user's cache folder for workers; empty where the environment names none.
std::filesystem::path DefaultCacheFolder();

/// The worker as a temporary file, in the first place that has room; a grader error if none has.
Result<WorkerFile> MakeTemporaryWorker(int fd, std::uintmax_t bytes);

}  // namespace warplings
