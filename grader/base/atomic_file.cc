// SPDX-License-Identifier: Apache-2.0
#include "grader/base/atomic_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>

#include "grader/base/write_all.h"

namespace warplings {
namespace {

Error WriteError(const std::filesystem::path& path) {
  if (errno == ENOSPC || errno == EDQUOT) {
    return UsageError("cannot write " + path.string() + ": " + std::strerror(errno),
                      "Free some space there, and run the command again.");
  }
  return UsageError("cannot write " + path.string() + ": " + std::strerror(errno),
                    "Name a file in a folder that exists and that you may write to.");
}

Status WriteDirectly(const std::filesystem::path& path, std::string_view text) {
  const int fd = ::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY);
  if (fd < 0) return WriteError(path);
  const bool written = WriteAll(fd, text);
  const Status status = written ? Status(Unit{}) : Status(WriteError(path));
  ::close(fd);
  return status;
}

/// mkstemp makes files for their owner alone; a report gets the permissions that any new file would.
mode_t NewFileMode() {
  const mode_t mask = ::umask(0);
  ::umask(mask);
  return 0666 & ~mask;
}

}  // namespace

Status WriteFileAtomically(const std::filesystem::path& path, std::string_view text) {
  struct stat present {};
  if (::stat(path.c_str(), &present) == 0 && !S_ISREG(present.st_mode)) return WriteDirectly(path, text);

  std::string temporary = path.string() + ".part-XXXXXX";
  const int fd = ::mkostemp(temporary.data(), O_CLOEXEC);
  if (fd < 0) return WriteError(path);
  const bool written = WriteAll(fd, text) && ::fchmod(fd, NewFileMode()) == 0 && ::fsync(fd) == 0;
  const bool renamed = written && ::rename(temporary.c_str(), path.c_str()) == 0;
  const Status status = renamed ? Status(Unit{}) : Status(WriteError(path));
  ::close(fd);
  if (!renamed) ::unlink(temporary.c_str());
  return status;
}

}  // namespace warplings
