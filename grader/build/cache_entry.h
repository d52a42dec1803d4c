// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "grader/base/sha256.h"

namespace warplings {

/// Adds what tells a program of ours from another version of it, without reading it: path, size and time.
void AddIdentity(Sha256& hash, const std::filesystem::path& file);

/// Writes a file of a cache entry; false if not every byte could be written, to the disk's knowledge.
bool WriteCacheFile(const std::filesystem::path& file, std::string_view text);

/// The whole file, or "" if it cannot be read.
std::string ReadCacheFile(const std::filesystem::path& file);

/// Notes size and checksum of each of the files `names` in `folder`, in a file of its own there. False if
/// that was not possible; the folder is then no entry.
bool SealCacheEntry(const std::filesystem::path& folder, const std::vector<std::string>& names);

/// Whether all files that were noted are what they were. A cache outlives programs, power cuts and full
/// disks: what it holds is used only if this is true, and made anew otherwise.
bool CacheEntryIsWhole(const std::filesystem::path& folder);

}  // namespace warplings
