// SPDX-License-Identifier: Apache-2.0
#include "grader/base/atomic_file.h"

#include <fcntl.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>

#include "grader/base/messages.h"
#include "grader/base/unique_fd.h"
#include "grader/base/write_all.h"

namespace warplings {
namespace {

Error WriteError(const std::filesystem::path& path) {
  const bool is_full = errno == ENOSPC || errno == EDQUOT;
  return UsageError(say::cannot_write(path.string(), std::strerror(errno)),
                    is_full ? say::free_space_there() : say::name_writable_file());
}

Status WriteDirectly(const std::filesystem::path& path, std::string_view text) {
  const UniqueFd fd(::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY));
  if (!fd || !WriteAll(fd.get(), text)) return WriteError(path);
  return Unit{};
}

/// A new file beside `path`, named after it; `name` becomes its path. Opened by ourselves and not by
/// mkostemp, so that the kernel applies the umask: reading the umask means setting it, for all threads.
UniqueFd MakeBeside(const std::filesystem::path& path, mode_t mode, std::string& name) {
  constexpr int kAttempts = 100;
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    std::uint32_t number = 0;
    if (::getrandom(&number, sizeof number, 0) != sizeof number) return {};
    char suffix[20];
    std::snprintf(suffix, sizeof suffix, ".part-%06" PRIx32, number & 0xff'ffff);
    name = path.string() + suffix;
    UniqueFd fd(::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode));
    if (fd || errno != EEXIST) return fd;
  }
  return {};
}

}  // namespace

Status WriteFileAtomically(const std::filesystem::path& path, std::string_view text, NewFileAccess access) {
  struct stat present {};
  if (::stat(path.c_str(), &present) == 0 && !S_ISREG(present.st_mode)) return WriteDirectly(path, text);

  std::string temporary;
  const UniqueFd fd = MakeBeside(path, access == NewFileAccess::kOwner ? 0600 : 0666, temporary);
  if (!fd) return WriteError(path);
  const bool written = WriteAll(fd.get(), text) && ::fsync(fd.get()) == 0;
  if (written && ::rename(temporary.c_str(), path.c_str()) == 0) return Unit{};
  const Error error = WriteError(path);
  ::unlink(temporary.c_str());
  return error;
}

}  // namespace warplings
