// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "grader/base/result.h"
#include "grader/core/worker_program.h"

namespace warplings {

/// A worker program on disk. A temporary file exists as long as `lifetime` is held; `lifetime` is empty for a
/// file in the cache.
struct WorkerFile {
  std::filesystem::path path;
  std::shared_ptr<const void> lifetime;
};

/// Workers that were built before, by the hash of everything that went into them. Lives in
/// $XDG_CACHE_HOME/warplings/workers, or ~/.cache/…. Its size is bounded; the least recently used entries are
/// removed first. Several processes may use it at once, because entries are renamed into place as a whole. An
/// entry carries checksums, and is built anew where they do not fit (cache_entry.h). If
/// something goes wrong here (no home folder, a disk that is full or read-only), a build takes longer but
/// still succeeds.
class WorkerCache {
 public:
  struct Entry {
    WorkerProgram worker;
    /// Warnings of the original build, which are shown again for a cached worker.
    std::string compiler_output;
  };
  /// What an entry is made of.
  struct Built {
    int fd = -1;  ///< The worker program: the first `bytes` bytes of this open file,
    std::uintmax_t bytes = 0;
    std::string image{};    ///< and WorkerProgram::image.
    std::string headers{};  ///< What was read for it (header_list.h).
    std::string compiler_output{};
  };

  /// `folder` empty: no cache.
  explicit WorkerCache(std::filesystem::path folder, std::uintmax_t max_bytes = std::uintmax_t{256} << 20)
      : folder_(std::move(folder)), max_bytes_(max_bytes) {}

  /// Nothing if there is no entry, or none that is whole and whose headers are still the same: then it has to
  /// be built anew.
  std::optional<Entry> Find(const std::string& key) const;
  /// Stores what was built, in place of an entry of no use; nothing if that failed.
  std::optional<Entry> Insert(const std::string& key, const Built& built) const;

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
