// SPDX-License-Identifier: Apache-2.0
#include "grader/build/cache_entry.h"

#include <sys/stat.h>

#include <fstream>
#include <sstream>

#include "grader/base/file_checksum.h"
#include "grader/base/read_file.h"

namespace warplings {

namespace fs = std::filesystem;

namespace {

constexpr const char* kChecksums = "checksums";
/// The last line, so that a list that was cut off is not taken for a whole one.
constexpr const char* kEnd = "end";

}  // namespace

void AddIdentity(Sha256& hash, const fs::path& file) {
  struct stat status {};
  std::ostringstream text;
  if (stat(file.c_str(), &status) == 0) {
    text << status.st_size << ' ' << status.st_mtim.tv_sec << '.' << status.st_mtim.tv_nsec;
  }
  hash.AddField(file.string());
  hash.AddField(text.str());
}

bool WriteCacheFile(const fs::path& file, std::string_view text) {
  std::ofstream out(file, std::ios::binary);
  out << text;
  out.close();
  return !out.fail();
}

std::string ReadCacheFile(const fs::path& file) {
  return ReadFile(file).value_or("");
}

bool SealCacheEntry(const fs::path& folder, const std::vector<std::string>& names) {
  std::string list;
  for (const std::string& name : names) {
    const auto sum = FileChecksum(folder / name);
    if (!sum) return false;
    list += name + ' ' + *sum + '\n';
  }
  return WriteCacheFile(folder / kChecksums, list + kEnd + '\n');
}

bool CacheEntryIsWhole(const fs::path& folder) {
  std::istringstream list(ReadCacheFile(folder / kChecksums));
  for (std::string name, sum; list >> name && name != kEnd;) {
    if (!(list >> sum) || FileChecksum(folder / name) != sum) return false;
  }
  std::string rest;
  // Reading stopped at the last line, and nothing stands after it.
  return !list.fail() && !(list >> rest);
}

}  // namespace warplings
