// SPDX-License-Identifier: Apache-2.0
#include "grader/build/worker_cache.h"

#include <fcntl.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <system_error>
#include <vector>

#include "grader/base/discard_folder.h"
#include "grader/base/unique_fd.h"
#include "grader/build/cache_entry.h"
#include "grader/build/header_list.h"
#include "grader/messages/build.h"

namespace warplings {

namespace fs = std::filesystem;

namespace {

constexpr const char* kWorkerName = "worker";
constexpr const char* kImageName = "image";
constexpr const char* kHeadersName = "headers";
constexpr const char* kOutputName = "compiler_output";

std::string EnvironmentValue(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

/// False if not every byte could be written, to the disk's knowledge.
bool CopyFile(int from, std::uintmax_t bytes, const fs::path& to) {
  UniqueFd file(open(to.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0700));
  if (!file) return false;
  off_t offset = 0;
  while (static_cast<std::uintmax_t>(offset) < bytes) {
    ssize_t sent = sendfile(file.get(), from, &offset, bytes - static_cast<std::uintmax_t>(offset));
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
  }
  // Some file systems report a full disk only here.
  return close(file.release()) == 0;
}

/// A new folder that nobody else has; empty if there can be none. Its name is not one of a TemporaryFolder,
/// which others remove while it is empty.
fs::path MakeFolder(const fs::path& parent) {
  std::string name = (parent / "warplings-worker-XXXXXX").string();
  return mkdtemp(name.data()) ? fs::path(name) : fs::path();
}

struct RemoveFolder {
  explicit RemoveFolder(fs::path path) : folder(std::move(path)) {}
  RemoveFolder(const RemoveFolder&) = delete;
  RemoveFolder& operator=(const RemoveFolder&) = delete;
  fs::path folder;
  ~RemoveFolder() {
    if (!folder.empty()) DiscardFolder(folder);
  }
};

struct Aged {
  fs::path folder;
  fs::file_time_type used;
  std::uintmax_t bytes = 0;
};

}  // namespace

fs::path DefaultCacheFolder() {
  fs::path base = EnvironmentValue("XDG_CACHE_HOME");
  // The base directory specification: a relative path is to be ignored.
  if (!base.is_absolute()) {
    fs::path home = EnvironmentValue("HOME");
    if (!home.is_absolute()) return {};
    base = home / ".cache";
  }
  return base / "warplings" / "workers";
}

std::optional<WorkerCache::Entry> WorkerCache::Find(const std::string& key) const {
  if (folder_.empty()) return std::nullopt;
  const fs::path folder = folder_ / key;
  Entry entry{{folder / kWorkerName, ""}, ""};
  const bool is_there = access(entry.worker.file.c_str(), R_OK | X_OK) == 0;
  if (!is_there || !CacheEntryIsWhole(folder) || !HeadersAreUnchanged(ReadCacheFile(folder / kHeadersName)))
    return std::nullopt;
  entry.worker.image = ReadCacheFile(folder / kImageName);
  entry.compiler_output = ReadCacheFile(folder / kOutputName);
  // Marks it as used; a cache that cannot be written to still serves.
  utimensat(AT_FDCWD, folder.c_str(), nullptr, 0);
  return entry;
}

std::optional<WorkerCache::Entry> WorkerCache::Insert(const std::string& key, const Built& built) const {
  if (folder_.empty()) return std::nullopt;
  std::error_code code;
  fs::create_directories(folder_, code);
  if (code) return std::nullopt;
  RemoveFolder fresh(MakeFolder(folder_));
  if (fresh.folder.empty()) return std::nullopt;
  const bool is_written = CopyFile(built.fd, built.bytes, fresh.folder / kWorkerName) &&
                          WriteCacheFile(fresh.folder / kImageName, built.image) &&
                          WriteCacheFile(fresh.folder / kHeadersName, built.headers) &&
                          WriteCacheFile(fresh.folder / kOutputName, built.compiler_output) &&
                          SealCacheEntry(fresh.folder, {kWorkerName, kImageName, kHeadersName, kOutputName});
  if (!is_written) return std::nullopt;
  // One that cannot be used is in the way of the new one.
  if (!Find(key)) fs::remove_all(folder_ / key, code);
  // Where another process was faster, the rename fails and its entry, which is the same, is used.
  fs::rename(fresh.folder, folder_ / key, code);
  if (!code) fresh.folder.clear();
  RemoveOldest();
  return Find(key);
}

void WorkerCache::RemoveOldest() const {
  std::vector<Aged> entries;
  std::uintmax_t total = 0;
  std::error_code code;
  for (const auto& entry : fs::directory_iterator(folder_, code)) {
    std::error_code ignored;
    Aged aged{entry.path(), entry.last_write_time(ignored), 0};
    if (ignored) continue;
    aged.bytes = fs::file_size(entry.path() / kWorkerName, ignored);
    if (ignored) aged.bytes = 0;
    total += aged.bytes;
    entries.push_back(std::move(aged));
  }
  std::ranges::sort(entries, {}, &Aged::used);
  for (const Aged& aged : entries) {
    // The entry just made is the youngest; it stays however small the bound.
    if (total <= max_bytes_ || &aged == &entries.back()) break;
    std::error_code ignored;
    fs::remove_all(aged.folder, ignored);
    total -= aged.bytes;
  }
}

Result<WorkerFile> MakeTemporaryWorker(int fd, std::uintmax_t bytes) {
  std::string temporary = EnvironmentValue("TMPDIR");
  for (const fs::path& place : {fs::path(temporary), fs::path("/tmp"), fs::path("/dev/shm")}) {
    if (!place.is_absolute()) continue;
    auto folder = std::make_shared<RemoveFolder>(MakeFolder(place));
    if (folder->folder.empty()) continue;
    fs::path worker = folder->folder / kWorkerName;
    if (CopyFile(fd, bytes, worker)) return WorkerFile{worker, folder};
  }
  return GraderError(say::no_room_for_worker(bytes >> 10), say::free_disk_or_name_cache());
}

}  // namespace warplings
