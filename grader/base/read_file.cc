// SPDX-License-Identifier: Apache-2.0
#include "grader/base/read_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "grader/base/unique_fd.h"

namespace warplings {
namespace {

/// All that is left to read. By read(2), because a stream's buffer throws where it cannot read.
std::optional<std::string> ReadRest(int fd, std::size_t expected) {
  constexpr std::size_t kLeast = 4096;
  std::string text;
  std::size_t done = 0;
  for (;;) {
    // One byte more than is expected, so that the end is seen without another allocation.
    if (done == text.size()) text.resize(done == 0 ? expected + 1 : done + std::max(done, kLeast));
    const ssize_t got = ::read(fd, text.data() + done, text.size() - done);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return std::nullopt;
    if (got == 0) break;
    done += static_cast<std::size_t>(got);
  }
  text.resize(done);
  return text;
}

}  // namespace

std::optional<std::string> ReadFile(const std::filesystem::path& file) {
  const UniqueFd fd(::open(file.c_str(), O_RDONLY | O_CLOEXEC));
  struct stat status {};
  if (!fd || ::fstat(fd.get(), &status) != 0) return std::nullopt;
  return ReadRest(fd.get(), S_ISREG(status.st_mode) ? static_cast<std::size_t>(status.st_size) : 0);
}

std::optional<std::string> ReadOrdinaryFile(const std::filesystem::path& file, std::uintmax_t most) {
  // Opening a pipe that nobody writes to would wait; for ordinary files O_NONBLOCK changes nothing.
  const UniqueFd fd(::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  struct stat status {};
  if (!fd || ::fstat(fd.get(), &status) != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
  if (static_cast<std::uintmax_t>(status.st_size) > most) return std::nullopt;
  return ReadRest(fd.get(), static_cast<std::size_t>(status.st_size));
}

}  // namespace warplings
