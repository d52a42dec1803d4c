// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "grader/base/result.h"

namespace warplings {

/// A worker program on disk. A temporary file exists as long as `lifetime` is held; `lifetime` is empty for a
/// file in the cache.
struct WorkerFile {
  std::filesystem::path path;
  std::shared_ptr<const void> lifetime;
};

/// Workers that were built before, by the hash of everything that went into them. Lives in
/// $XDG_CACHE_HOME/warplings/workers, or ~/.cache/…. Its size is bounded; the least recently used entries are
/// removed first. Several processes may use it at once, because entries are renamed into place as a whole. If
/// something goes wrong here (no home folder, a disk that is full or read-only), a build takes longer but
/// still succeeds.
class WorkerCache {
 public:
  struct Entry {
    std::filesystem::path worker;
    /// Warnings of the original build, which are shown again for a cached worker.
    std::string compiler_output;
  };

  /// `folder` empty: no cache.
  explicit WorkerCache(std::filesystem::path folder, std::uintmax_t max_bytes = std::uintmax_t{256} << 20)
      : folder_(std::move(folder)), max_bytes_(max_bytes) {}

  std::optional<Entry> Find(const std::string& key) const;
  /// Stores the first `bytes` bytes of the open file `fd`; nothing if that failed.
  std::optional<Entry> Insert(const std::string& key, int fd, std::uintmax_t bytes,
                              const std::string& compiler_output) const;

 private:
  void RemoveOldest() const;

  std::filesystem::path folder_;
  std::uintmax_t max_bytes_;
};

/// The user's cache folder for workers; empty if the environment does not define one.
std::filesystem::path DefaultCacheFolder();

/// Writes the worker to a temporary file in the first folder that has enough space; a grader error if none
/// has.
Result<WorkerFile> MakeTemporaryWorker(int fd, std::uintmax_t bytes);

}  // namespace warplings
