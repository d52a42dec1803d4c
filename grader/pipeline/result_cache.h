// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "grader/pipeline/check_many.h"

namespace warplings {

/// Results of checks on a virtual GPU that were made before, by the hash of everything that decides them.
/// For checks whose result is shown and not graded: the handouts' samples, which are the same in each build.
/// Lives in $XDG_CACHE_HOME/warplings/results, or ~/.cache/…; the least recently used files beyond
/// `max_files` are removed. Several processes may use it at once. If something goes wrong here, a check is
/// made again.
class ResultCache {
 public:
  /// `folder` empty: no cache.
  explicit ResultCache(std::filesystem::path folder, std::size_t max_files = 256)
      : folder_(std::move(folder)), max_files_(max_files) {}

  /// Nothing if there is none, or none that is whole.
  std::optional<ExerciseResult> Find(const std::string& key) const;
  void Insert(const std::string& key, const ExerciseResult& result) const;

 private:
  void RemoveOldest() const;

  std::filesystem::path folder_;
  std::size_t max_files_;
};

/// The user's cache folder for results; empty if the environment does not define one.
std::filesystem::path DefaultResultFolder();

/// The hash of what decides the result of `job`: the submission, the chapter's files, seed and device, the
/// compilers, and the programs of `layout` that judge it. Empty for a check that the cache is not for: on a
/// card, or one that measures or estimates speed.
std::string CacheKeyOf(const CheckJob& job, const Layout& layout);

}  // namespace warplings
